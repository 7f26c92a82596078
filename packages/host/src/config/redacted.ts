/** Settings without their secrets, for output. */

import { clientSchema, userSchema } from './file-schema.js'
import { leaves } from './schema-keys.js'
import { isGroup } from './sources.js'

const HIDDEN = '(hidden)'

/** Keys of clients and users whose values are secrets. */
const SECRET_KEYS = new Set(
  [clientSchema, userSchema].flatMap((schema) =>
    leaves(schema).flatMap(({ path, secret }) => (secret ? [path] : [])),
  ),
)

/** A copy without the secrets of clients and users, at any depth. */
export function visible(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(visible)
  if (!isGroup(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, SECRET_KEYS.has(key) ? HIDDEN : visible(inner)]),
  )
}

/** A secret setting for output: of a URL the host and the path, without user, password and query; else nothing. */
export function hidden(text: string): string {
  const [, scheme, place] = /^([a-z+]+:\/\/)(?:.*@)?([^?#]*)/s.exec(text) ?? []
  return scheme === undefined ? HIDDEN : `${scheme}${text.includes('@') ? `${HIDDEN}@` : ''}${place}`
}
