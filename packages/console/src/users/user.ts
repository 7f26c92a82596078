/** A user, as the API shows one. */

import { type Protected, readProtected } from '../pages/protection.js'
import { apiPath } from '../paths.js'
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

/** With what keeps the administrator from changing the user. */
export type ReadUser = ShownUser & Protected

export const readUser = (c: Visit, sub: string) => readProtected<ShownUser>(c, apiPath(c, 'users', sub))

/** A claim that is a text. */
export const claimOf = ({ claims }: Pick<ShownUser, 'claims'>, name: string): string =>
  typeof claims[name] === 'string' ? claims[name] : ''
