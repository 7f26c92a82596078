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

/** An entry of the catalog: the hint alone where all of what was sent is secret. */
type ReasonRow = string | { sent: string; hint: string }

/** Entries of the catalog. The type names their reasons: code that refuses for another one does not compile. */
export const reasons = <Name extends string>(
  rows: Readonly<Record<Name, ReasonRow>>,
): Readonly<Record<Name, ReasonRow>> => rows
