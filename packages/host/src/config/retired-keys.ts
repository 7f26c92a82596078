/** Keys of former versions, of core and of this host. */

import { RETIRED_KEYS, retiredKeyMessage } from '@ostiary/core'

const LOGIN = 'login.'

/** Members of `login` in former versions, with the value that `failures` needs for the same limit. */
export const RETIRED_LIMITS: Readonly<Record<string, string>> = {
  failures_per_account_and_address: 'the same number',
  failures_per_device: 'the same number',
  failures_per_address: 'a fifth of it',
  failures_per_account: 'a tenth of it',
  failures_per_site: 'a twentieth of it',
}

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
