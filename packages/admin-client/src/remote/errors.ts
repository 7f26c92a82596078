/** What a server answers in place of a result, as the error of a command. */

import { withoutControls } from './clean.js'

/** The errors of the command line. */
export interface CommandErrors {
  usageError(message: string): Error
  notFound(message: string): Error
  failure(message: string): Error
  /** What is wrong with single fields of a client. */
  clientFaults(faults: readonly Fault[]): Error
}

/** What is wrong with a member of a request. */
interface Fault {
  field: string
  fault: string
}

/** An answer that refuses. */
export class ApiRefusal extends Error {
  readonly status: number
  /** RFC 9457; of a server that is another one it may be anything. */
  readonly problem: Readonly<Record<string, unknown>>
  /** Of the operation, below the realm. */
  readonly path: readonly string[]

  constructor(
    { status, problem, message }: { status: number; problem: unknown; message?: string },
    path: readonly string[],
  ) {
    super(message ?? `The admin API answers ${status}`)
    this.name = 'ApiRefusal'
    this.status = status
    this.problem = typeof problem === 'object' && problem !== null ? { ...problem } : {}
    this.path = path
  }
}

/** Another error stays as it is. */
export const refusalOf = (error: unknown, path: readonly string[]): unknown =>
  error instanceof Error && error.name === 'AdminApiError'
    ? new ApiRefusal(error as Error & { status: number; problem: unknown }, path)
    : error

/** The faults of single members, by their names. */
export function faultsOf({ problem: { errors } }: ApiRefusal): Fault[] {
  if (!Array.isArray(errors)) return []
  return errors.flatMap((entry): Fault[] => {
    const { pointer, message, suggestion } = (entry ?? {}) as Record<string, unknown>
    if (typeof pointer !== 'string' || typeof message !== 'string') return []
    const meant = typeof suggestion === 'string' ? `; did you mean ${suggestion}?` : ''
    const field = pointer.slice(1).replaceAll('/', '.')
    return [{ field: withoutControls(field), fault: withoutControls(message + meant) }]
  })
}

/** Where a command works. */
export interface RemotePlace {
  server: string
  realm: string
  errors: CommandErrors
}

const AGAIN = 'It was changed at the same time: run the command again'

/** The error of a command for a refusal. */
export function commandError(refusal: ApiRefusal, { server, realm, errors }: RemotePlace): Error {
  const { status, problem, path } = refusal
  const faults = faultsOf(refusal)
  if (path[0] === 'clients' && faults.length > 0 && (status === 400 || status === 409))
    return errors.clientFaults(faults)
  const detail = typeof problem.detail === 'string' ? problem.detail : null
  if (status === 404 && path.length < 2)
    return errors.notFound(
      `There is no realm ${realm} on ${server}, or you have no role in it; name one with --realm`,
    )
  if (status === 412 || status === 428) return errors.failure(AGAIN)
  if (detail === null)
    return errors.failure(
      `${server} answers ${status}, and it is not the admin API: is this the address of the server, and is admin.enabled set?`,
    )
  if (status >= 500) return errors.failure(withoutControls(`${detail}. request_id: ${problem.request_id}`))
  // With what to run, where another sign-in helps.
  const sentence = withoutControls(refusal.message)
  return status === 404 ? errors.notFound(sentence) : errors.failure(sentence)
}
