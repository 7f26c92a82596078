/** "Did you mean": the key of the configuration that was probably meant. */

import { type ConfigFault, withSuggestion } from '@ostiary/core'
import { configKeysAt } from './schema-keys.js'

/** A fault of an unknown key, with the key that was probably meant, if one is near; any other fault as it is. */
export function withMeantKey(fault: ConfigFault): ConfigFault {
  const { path, unknown_key } = fault
  if (unknown_key === undefined) return fault
  const group = path.slice(0, Math.max(0, path.length - unknown_key.length - 1))
  return withSuggestion(fault, unknown_key, configKeysAt(group))
}
