/** Errors of the API: RFC 9457. */

/** One thing that is wrong with a request. */
export interface RequestFault {
  /** Where it is: a JSON Pointer (RFC 6901) into the body, or `?name` for a parameter of the query. */
  pointer: string
  message: string
  /** The name that was probably meant. */
  suggestion?: string
}

/** The codes, each with its status and its title; docs/admin-api.md lists them. */
export const PROBLEMS = {
  invalid_request: [400, 'The request is not valid'],
  invalid_cursor: [400, 'The cursor is not of this list'],
  unauthorized: [401, 'An access token for the admin API is needed'],
  forbidden: [403, 'This is not yours to change'],
  insufficient_scope: [403, 'The access token has not the scope'],
  weak_client: [403, 'The client has to authenticate with a key'],
  not_found: [404, 'There is nothing here, or you may not see it'],
  method_not_allowed: [405, 'The address does not take this method'],
  conflict: [409, 'The change contradicts what is stored'],
  owned_by_configuration: [409, 'The configuration has this record'],
  changed_meanwhile: [412, 'The record is another one by now'],
  too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'The body has another type'],
  precondition_required: [428, 'Say which record you have seen'],
  too_many_requests: [429, 'Too many requests'],
  server_error: [500, 'Something went wrong on our side'],
  unavailable: [503, 'The server cannot answer at the moment'],
} as const satisfies Record<string, readonly [status: number, title: string]>

export type ProblemCode = keyof typeof PROBLEMS

/** What a problem says beside its code. */
export interface ProblemDetails {
  /** What to do. */
  detail: string
  errors?: readonly RequestFault[]
  headers?: Readonly<Record<string, string>>
}

/** A request is refused. */
export class ProblemError extends Error {
  readonly code: ProblemCode
  readonly details: ProblemDetails

  constructor(code: ProblemCode, details: string | ProblemDetails) {
    const named = typeof details === 'string' ? { detail: details } : details
    super(named.detail)
    this.name = 'ProblemError'
    this.code = code
    this.details = named
  }
}

/** A refusal of one member of the body, or of `?name`. */
export const refusalOf = (code: ProblemCode, pointer: string, message: string): ProblemError =>
  new ProblemError(code, { detail: message, errors: [{ pointer, message }] })

/** Another change of the record came first. */
export const changedMeanwhile = (): ProblemError =>
  new ProblemError('changed_meanwhile', 'Read the record again, and repeat the change')

/** The same answer for what does not exist and for what the caller may not see. */
export const notFound = (): ProblemError =>
  new ProblemError('not_found', 'Check the address, the realm, and your roles in it')

/** What was looked for. @throws ProblemError 404 where there is none. */
export function present<T>(found: T | null | undefined): T {
  if (found === null || found === undefined) throw notFound()
  return found
}

export const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** The answer to a refused request. */
export function problemResponse(
  code: ProblemCode,
  { detail, errors, headers }: ProblemDetails,
  request_id: string,
): Response {
  const [status, title] = PROBLEMS[code]
  const body = {
    type: `urn:ostiary:problem:${code}`,
    title,
    status,
    detail,
    ...(errors && { errors }),
    request_id,
  }
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...HEADERS, 'content-type': 'application/problem+json', ...headers },
  })
}
