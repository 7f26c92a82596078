/** What was thrown while a request was answered, as a problem. Errors of other packages are known by name: a server may have two copies. */

import {
  changedMeanwhile,
  type ProblemCode,
  type ProblemDetails,
  ProblemError,
  type RequestFault,
  refusalOf,
} from './problem.js'

interface NamedError {
  name?: unknown
  message?: unknown
  faults?: readonly { field: string; fault: string }[]
  fault?: unknown
  code?: ProblemCode
}

/** Null for a failure that no input of the caller has caused. */
export function problemOf(error: unknown): ProblemError | null {
  if (error instanceof ProblemError) return error
  const { name, message, faults = [], fault, code } = (error ?? {}) as NamedError
  const detail = String(message)
  if (name === 'ClientInputError') return ofClient(detail, faults)
  if (name === 'ClientConflictError') return changedMeanwhile()
  if (name === 'UserError') return new ProblemError('conflict', detail)
  if (name === 'AuditError') return new ProblemError('unavailable', detail)
  if (name === 'SimulationError' && code) return new ProblemError(code, detail)
  if (name === 'OperationError' && code)
    return new ProblemError(code, (fault as ProblemDetails | undefined) ?? detail)
  if (name !== 'RoleError') return null
  if (fault === 'invalid') return refusalOf('invalid_request', '/realms', detail)
  return new ProblemError(fault === 'beyond' ? 'forbidden' : 'conflict', detail)
}

/** What is wrong with the id contradicts what is stored: it is taken, or revoked. */
function ofClient(detail: string, faults: NonNullable<NamedError['faults']>): ProblemError {
  const errors: RequestFault[] = faults.map(({ field, fault }) => ({
    pointer: `/${field.replaceAll('.', '/')}`,
    message: fault,
  }))
  const is_conflict = faults.every(({ field }) => field === 'client_id')
  return new ProblemError(is_conflict ? 'conflict' : 'invalid_request', { detail, errors })
}
