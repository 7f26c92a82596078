/** From an error of a sign-in or a refresh to a sentence that says what to do. */

import { LoginError } from '../login-error.js'
import { printable } from '../server-origin.js'

/** Of an error that openid-client throws. */
interface Failure {
  name?: string
  code?: string
  message?: string
  /** RFC 6749 §5.2 */
  error?: string
  error_description?: string
  cause?: unknown
}

const REFUSALS: Readonly<Record<string, string>> = {
  access_denied: 'The sign-in was refused in the browser',
  expired_token: 'The code was not used in time: run ostiary login again',
  unmet_authentication_requirements:
    'Administrators sign in with a passkey or a second factor: add one on the account page, and run ostiary login again',
  invalid_target:
    'The server does not let the command line use the admin API: its client ostiary-cli has been changed, or its resource is another one',
  unauthorized_client: 'The client ostiary-cli of the server may not do this',
  invalid_client: 'The server does not know the client ostiary-cli: an owner has revoked it',
}

/** @param what Was tried, as the beginning of a sentence. */
export function loginError(what: string, error: unknown): LoginError {
  const known = chainOf(error).find((each) => each instanceof LoginError)
  if (known instanceof LoginError) return known
  const [{ error: code, error_description, message = '' }] = [error as Failure]
  if (code === undefined) return new LoginError(`${what}: ${printable(deepest(error) ?? message)}`, error)
  const refusal = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined
  if (refusal !== undefined) return new LoginError(refusal, error)
  const description = error_description === undefined ? '' : `: ${error_description}`
  return new LoginError(`${what}: ${printable(code + description)}`, error)
}

/** Whether the server has refused the refresh token itself. */
export const isOver = (error: unknown): boolean => (error as Failure).error === 'invalid_grant'

const MAX_CAUSES = 6

function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (let next = error; next instanceof Error && chain.length < MAX_CAUSES; next = next.cause)
    chain.push(next)
  return chain
}

/** The message of the error that caused the others: those around it say little. */
function deepest(error: unknown): string | undefined {
  const last = chainOf(error).at(-1)
  return last instanceof Error ? last.message : undefined
}
