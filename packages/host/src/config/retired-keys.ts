/** Keys of former versions, of core and of this host. */

import { RETIRED_KEYS, retiredKeyMessage } from '@ostiary/core'
import { RETIRED_LIMITS } from '@ostiary/identity'

const LOGIN = 'login.'

/** The paths of all retired keys. */
export const RETIRED_PATHS: readonly string[] = [
  ...Object.keys(RETIRED_KEYS),
  ...Object.keys(RETIRED_LIMITS).map((name) => LOGIN + name),
]

/** What to write instead of a retired key; null when the key is no such one. */
export function retiredMessage(path: string): string | null {
  const name = path.startsWith(LOGIN) ? path.slice(LOGIN.length) : ''
  return Object.hasOwn(RETIRED_LIMITS, name)
    ? `this key no longer exists: set login.failures to ${RETIRED_LIMITS[name]}`
    : retiredKeyMessage(path)
}
