/** Keys of former versions. */

import { RETIRED_KEYS, RETIRED_LOGIN_KEYS, retiredKeyMessage } from '@ostiary/core'

/** The paths of all retired keys. */
export const RETIRED_PATHS: readonly string[] = Object.keys({ ...RETIRED_KEYS, ...RETIRED_LOGIN_KEYS })

/** What to write instead of a retired key; null when the key is no such one. */
export const retiredMessage = (path: string): string | null =>
  Object.hasOwn(RETIRED_LOGIN_KEYS, path)
    ? `this key no longer exists: set login.failures to ${RETIRED_LOGIN_KEYS[path]}`
    : retiredKeyMessage(path)
