/** Calls the admin API in this process, with the token of a session. */

import { type Endpoint, inProcess, openServer, proofsOf, type ServerOptions, withNonce } from './oauth.js'
import type { SignedIn } from './sessions.js'

/** A request to the API. */
export interface ApiCall {
  method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE'
  /** Below the API. */
  path: string
  query?: Readonly<Record<string, string>>
  body?: object
  /** The ETag of the record that was seen. */
  if_match?: string
  /** Only where there is none yet. */
  is_new?: boolean
}

/** A fault of one member. */
export interface ApiFault {
  pointer: string
  message: string
}

/** An answer of the API. */
export interface ApiAnswer {
  status: number
  body: unknown
  etag: string | null
}

/** A refusal (RFC 9457). */
export interface ApiProblem {
  status: number
  type: string
  detail: string
  errors: readonly ApiFault[]
}

/** The API does not accept the sign-in: it has ended, or it is not recent enough. */
export class SignInNeeded extends Error {
  override name = 'SignInNeeded'
  /** Whether the user has to prove again who it is. */
  readonly is_too_old: boolean

  constructor(is_too_old: boolean) {
    super('A sign-in is needed')
    this.is_too_old = is_too_old
  }
}

export type Api = (call: ApiCall) => Promise<ApiAnswer>

export interface ApiOptions extends ServerOptions {
  /** The address of the API. */
  resource: string
  api: Endpoint
}

/** The library is loaded with the first call. */
export function createApi(options: ApiOptions, session: Pick<SignedIn, 'access_token' | 'dpop_key'>): Api {
  const { resource, api } = options
  const opened = openServer(options).then(async (server) => ({
    server,
    proofs: await proofsOf(server, session.dpop_key),
  }))
  // Read by the calls.
  opened.catch(() => {})
  return async (call) => {
    const { method, path, query = {}, body } = call
    const { server, proofs } = await opened
    const url = new URL(resource + path)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const headers = headersOf(call)
    const { oauth } = server
    const text = body === undefined ? null : JSON.stringify(body)
    const sent = {
      [oauth.customFetch]: inProcess(api),
      [oauth.allowInsecureRequests]: true,
      ...proofs,
    }
    const send = () => oauth.protectedResourceRequest(session.access_token, method, url, headers, text, sent)
    return answerOf(await withNonce(oauth, send).catch(refusalOf))
  }
}

function headersOf({ method, body, if_match, is_new }: ApiCall): Headers {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  return new Headers({
    ...(body !== undefined && { 'content-type': type }),
    ...(if_match !== undefined && { 'if-match': if_match }),
    ...(is_new && { 'if-none-match': '*' }),
  })
}

/** An answer with a challenge (RFC 6750). @throws SignInNeeded */
function refusalOf(error: unknown): Response {
  const { code, response, cause } = error as {
    code?: string
    response?: Response
    cause?: { parameters: Record<string, string> }[]
  }
  if (code !== 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' || response === undefined) throw error
  if (response.status !== 401) return response
  const reasons = (cause ?? []).map(({ parameters }) => parameters.error)
  throw new SignInNeeded(reasons.includes('insufficient_user_authentication'))
}

async function answerOf(response: Response): Promise<ApiAnswer> {
  const text = await response.text()
  const body: unknown = text === '' ? null : JSON.parse(text)
  return { status: response.status, body, etag: response.headers.get('etag') }
}

/** Null for an answer that is no refusal. */
export function problemOf(answer: ApiAnswer): ApiProblem | null {
  const { status, body } = answer
  if (status < 400) return null
  const { type = '', detail = '', errors = [] } = (body ?? {}) as Partial<ApiProblem>
  return { status, type, detail, errors }
}
