/** The JSON Schema for editors has each part once: what occurs again is a definition, to which both places refer. */

type Json = unknown
type JsonObject = Record<string, Json>

/** A shorter part is easier to read where it stands. In characters of JSON. */
const SHORTEST = 300

interface Part {
  text: string
  /** Its configuration key, as in `oidc.tokens`. The entries of a list or a map have the key of that. */
  path: string
}

/** The same schema with `definitions`: the longest parts first, so that none is made of what occurs in another one alone. */
export function withDefinitions({ definitions: given = {}, ...schema }: JsonObject): JsonObject {
  let rest: JsonObject = schema
  let definitions = given as JsonObject
  for (;;) {
    const repeated = longestRepeated({ ...rest, definitions })
    if (repeated === undefined) return { ...rest, definitions }
    const reference = { $ref: `#/definitions/${repeated.path}` }
    rest = replaced(rest, repeated.text, reference) as JsonObject
    definitions = replaced(definitions, repeated.text, reference) as JsonObject
    if (repeated.path in definitions) throw new Error(`Two definitions have the name ${repeated.path}`)
    definitions[repeated.path] = JSON.parse(repeated.text)
  }
}

function longestRepeated(schema: Json): Part | undefined {
  const parts = partsOf(schema, [])
  const times = new Map<string, number>()
  for (const { text } of parts) times.set(text, (times.get(text) ?? 0) + 1)
  const repeated = parts.filter(({ text }) => text.length >= SHORTEST && (times.get(text) ?? 0) > 1)
  return repeated.sort((a, b) => b.text.length - a.text.length)[0]
}

/** Each schema in this value: an object with a `type`. */
function partsOf(value: Json, path: readonly string[]): Part[] {
  if (typeof value !== 'object' || value === null) return []
  const isSchema = 'type' in value && typeof value.type === 'string'
  const inner = Object.entries(value).flatMap(([name, member]) =>
    partsOf(member, isSchema || isPlace(name) ? path : [...path, name]),
  )
  return isSchema ? [{ text: JSON.stringify(value), path: path.join('.') }, ...inner] : inner
}

/** Whether it is the place of schemas, and not the name of a configuration key. */
const isPlace = (name: string): boolean => /^(?:\d+|properties|definitions)$/.test(name)

function replaced(value: Json, text: string, reference: JsonObject): Json {
  if (typeof value !== 'object' || value === null) return value
  if (JSON.stringify(value) === text) return reference
  if (Array.isArray(value)) return value.map((member) => replaced(member, text, reference))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, replaced(member, text, reference)]),
  )
}
