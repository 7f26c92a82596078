/** The form of an entry in the catalog of refusals. */

/** Why a request is refused: what the log shows of it, and the remedy. */
export interface Reason {
  /**
   * The names of what was sent and refused, separated by spaces: parameters, or one of the names in `sent-fields.ts`
   * (`assertion.aud`, `proof.htu`, `method`, …). Null where all of it is secret.
   */
  sent: string | null
  /** One or two sentences for the developer or the operator: what to change, and where. */
  hint: string
}

/** The entry as the catalog has it. Without `sent`, all of what was sent is secret. */
export interface ReasonRow {
  sent?: string
  hint: string
}
