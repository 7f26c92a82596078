/** Sends a request to the admin API, with an access token and its proof. */

import { printable } from '../server-origin.js'
import { load } from '../sign-in/discover.js'
import { loginError } from '../sign-in/failure.js'
import { MAX_AGE } from '../sign-in/max-age.js'
import type { Access, AccessTokens } from './access.js'
import { AdminApiError, type Problem } from './admin-api-error.js'
import type { AdminAnswer, AdminCall } from './call.js'

/** The admin API of one server. */
export interface ApiPlace {
  server: string
  resource: string
  access: AccessTokens
}

/** An answer of any status. */
interface AnyAnswer extends AdminAnswer {
  /** The parameters of its challenge. */
  challenge: Readonly<Record<string, string | undefined>>
}

/** @throws AdminApiError, LoginError */
export async function send(place: ApiPlace, call: AdminCall): Promise<AdminAnswer> {
  const access = await place.access()
  const first = await answerOf(place, access, call)
  // Revoked meanwhile, or signed with a key that is withdrawn.
  const is_over = first.status === 401 && first.challenge.error === 'invalid_token'
  const { challenge, ...answer } = is_over ? await answerOf(place, await place.access(access), call) : first
  if (answer.status < 400) return answer
  throw apiError(place.server, { ...answer, challenge })
}

async function answerOf({ server, resource }: ApiPlace, access: Access, call: AdminCall): Promise<AnyAnswer> {
  const { fetchProtectedResource, WWWAuthenticateChallengeError } = await load()
  const { config, access_token, dpop } = access
  const { method, body } = call
  const text = body === undefined ? undefined : JSON.stringify(body)
  try {
    const response = await fetchProtectedResource(
      config,
      access_token,
      urlOf(resource, call),
      method,
      text,
      headersOf(call),
      dpop,
    )
    return { ...(await readAnswer(response)), challenge: {} }
  } catch (error) {
    if (!(error instanceof WWWAuthenticateChallengeError))
      throw loginError(`${server} has not answered`, error)
    const challenge = Object.assign({}, ...error.cause.map(({ parameters }) => parameters))
    return { ...(await readAnswer(error.response)), challenge }
  }
}

function urlOf(resource: string, { path, query = {} }: AdminCall): URL {
  const url = new URL(resource + path)
  if (!url.href.startsWith(`${resource}/`)) throw new TypeError(`${path} is not below the admin API`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

function headersOf({ method, body, headers = {} }: AdminCall): Headers {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  return new Headers({
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': type }),
    ...headers,
  })
}

async function readAnswer(response: Response): Promise<AdminAnswer> {
  const { status, headers } = response
  const text = await response.text()
  return { status, headers, body: text === '' ? null : jsonOf(text) }
}

/** The text itself when it is not JSON, as an error page of a proxy. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function apiError(server: string, { status, body, challenge }: AnyAnswer): AdminApiError {
  const problem = isProblem(body) ? body : { type: 'about:blank', title: `${server} answers with ${status}` }
  return new AdminApiError(status, problem, advice(server, challenge))
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' &&
  body !== null &&
  typeof (body as Problem).type === 'string' &&
  typeof (body as Problem).title === 'string'

/** What to run, where another sign-in helps. */
function advice(server: string, { error, max_age, scope }: AnyAnswer['challenge']): string | undefined {
  if (error === 'insufficient_user_authentication') {
    const is_short = max_age !== undefined && Number(max_age) < MAX_AGE
    return `This needs a newer sign-in, with a passkey or a second factor: run ostiary login ${server}${is_short ? ' --fresh' : ''}, and then the command again`
  }
  if (error !== 'insufficient_scope') return undefined
  return `The sign-in does not allow ${printable(scope ?? 'this')}: run ostiary login ${server}, and then the command again`
}
