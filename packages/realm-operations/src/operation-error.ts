/** Why an operation is refused. `@ostiary/admin` knows the error by its name, and answers with its code. */

/** What the answer says beside its code. */
interface OperationFault {
  /** What to do. */
  detail: string
  errors?: readonly { pointer: string; message: string }[]
  headers?: Readonly<Record<string, string>>
}

/** A request is refused. */
export class OperationError extends Error {
  readonly code: 'invalid_request' | 'not_found' | 'conflict' | 'too_many_requests'
  readonly fault: OperationFault

  constructor(code: OperationError['code'], fault: OperationFault) {
    super(fault.detail)
    this.name = 'OperationError'
    this.code = code
    this.fault = fault
  }
}

/** The same answer for what does not exist and for what the caller may not see. */
export const notFound = (): OperationError =>
  new OperationError('not_found', { detail: 'Check the address, the realm, and your roles in it' })
