/** The paths of an upstream, below the realm. */

import type { Realm } from '@ostiary/core'

const STEPS = {
  /** A form of the sign-in page begins here. */
  start: '/login/upstream/',
  /** The redirect URI. */
  callback: '/login/callback/',
} as const

/** After the path of a start: logout tokens are sent there. */
const LOGOUT = '/logout'

type Step = keyof typeof STEPS | 'logout'

export const startPath = ({ path }: Realm, id: string): string => path + STEPS.start + id
export const redirectUri = ({ urls }: Realm, id: string): string => urls.issuer + STEPS.callback + id
/** The page of the sign-in. */
export const loginPath = ({ path }: Realm): string => `${path}/login`

/** What a path below the realm is for; null for another one. */
export function pathStep(path: string): { id: string; step: Step; methods: readonly string[] } | null {
  const idIn = (text: string): string | null => (path.startsWith(text) ? path.slice(text.length) : null)
  const back = idIn(STEPS.callback)
  if (back !== null) return { id: back, step: 'callback', methods: ['GET', 'POST'] }
  const id = idIn(STEPS.start)
  if (id === null) return null
  return id.endsWith(LOGOUT)
    ? { id: id.slice(0, -LOGOUT.length), step: 'logout', methods: ['POST'] }
    : { id, step: 'start', methods: ['POST'] }
}
