/** A user, as the API shows one. */

import { problemOf } from '../session/api.js'
import type { Visit } from '../visit.js'

/** Times are epoch seconds. */
export interface ShownUser {
  sub: string
  username: string
  has_password: boolean
  claims: Readonly<Record<string, unknown>>
  groups: readonly string[] | null
  attributes: Readonly<Record<string, unknown>> | null
  created_at: number
  updated_at: number
  disabled_at: number | null
}

/** The path of the API for a user, and of what the user has. */
export const userPath = ({ realm }: Pick<Visit, 'realm'>, sub: string, more = ''): string =>
  `/realms/${encodeURIComponent(realm)}/users/${encodeURIComponent(sub)}${more}`

/** A user and the ETag; the status of the answer where there is none to show. */
export async function readUser(
  c: Visit,
  sub: string,
): Promise<{ user: ShownUser; etag: string } | { status: number }> {
  const answer = await c.api({ method: 'GET', path: userPath(c, sub) })
  const problem = problemOf(answer)
  if (problem !== null) return problem
  return { user: answer.body as ShownUser, etag: answer.etag ?? '' }
}

/** A claim that is a text. */
export const claimOf = ({ claims }: Pick<ShownUser, 'claims'>, name: string): string =>
  typeof claims[name] === 'string' ? claims[name] : ''
