/** Why a realm is not made, changed or deleted. `@ostiary/admin` knows the error by its name, and answers with its code. */

/** What is wrong with a setting. */
export interface PointedFault {
  /** A JSON Pointer (RFC 6901) into the settings. */
  pointer: string
  message: string
  /** The name that was probably meant. */
  suggestion?: string
}

/** What is said beside the code. */
interface RealmFault {
  /** What to do. */
  detail: string
  errors?: readonly PointedFault[]
}

/** A change of a realm is refused. */
export class RealmError extends Error {
  override name = 'OperationError'
  readonly code: 'invalid_request' | 'forbidden' | 'conflict' | 'owned_by_configuration' | 'changed_meanwhile'
  readonly fault: RealmFault

  constructor(code: RealmError['code'], fault: RealmFault | string) {
    const told = typeof fault === 'string' ? { detail: fault } : fault
    super(told.detail)
    this.code = code
    this.fault = told
  }
}
