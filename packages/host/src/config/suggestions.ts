/** What to write instead of an unknown key of the configuration. */

import { type ConfigFault, withSuggestion } from '@ostiary/core'
import { retiredMessage } from './retired-keys.js'
import { configKeysAt } from './schema-keys.js'

/** A fault of an unknown key, with what replaces a retired one, or the key that was probably meant; any other fault as it is. */
export function withMeantKey(fault: ConfigFault): ConfigFault {
  const { path, unknown_key } = fault
  if (unknown_key === undefined) return fault
  const message = retiredMessage(path)
  if (message !== null) return { path, message }
  const group = path.slice(0, Math.max(0, path.length - unknown_key.length - 1))
  return withSuggestion(fault, unknown_key, configKeysAt(group))
}
