/** Settings as they may be shown. */

import { clientSchema, userSchema } from './file-schema.js'
import { leaves } from './schema-keys.js'
import { isGroup } from './sources.js'

const HIDDEN = '(hidden)'

/** Keys of entries whose values nothing shows. */
const SECRET_KEYS = new Set(
  [clientSchema, userSchema].flatMap((schema) =>
    leaves(schema).flatMap(({ path, secret }) => (secret ? [path] : [])),
  ),
)

/** A copy without the secrets of clients and users, however deep they stand. */
export function visible(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(visible)
  if (!isGroup(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, SECRET_KEYS.has(key) ? HIDDEN : visible(inner)]),
  )
}

/** Of a URL the host and what follows it may be seen: what comes before is a name and a password. */
export function hidden(text: string): string {
  const [, scheme, place] = /^([a-z]+:\/\/)(?:.*@)?([^?#]*)/s.exec(text) ?? []
  return scheme === undefined ? HIDDEN : `${scheme}${text.includes('@') ? `${HIDDEN}@` : ''}${place}`
}
