/** "Did you mean": the keys of a schema, and the name among them that was probably meant. */

import { distance } from 'fastest-levenshtein'
import * as z from 'zod'

/** The nearest candidate, or the one that begins with the word, as `logo_url` with `logo`; null when none is near enough. */
export function closest(word: string, candidates: readonly string[]): string | null {
  const limit = Math.max(2, Math.floor(word.length / 4))
  const [best] = candidates
    .map((name) => ({ name, edits: distance(word.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  if (best && best.edits <= limit && best.edits < word.length) return best.name
  return candidates.find((name) => name.startsWith(`${word}_`)) ?? null
}

/** The keys that a group, an entry of a list or a value of a map at this path of a schema may have. */
export function keysAt(root: z.ZodType, path: readonly string[]): string[] {
  let schema: z.ZodType | undefined = bareSchema(root)
  for (const step of path) {
    if (schema instanceof z.ZodObject) schema = schema.shape[step] as z.ZodType | undefined
    else if (schema instanceof z.ZodRecord) schema = schema.valueType as z.ZodType
    else if (schema instanceof z.ZodArray) schema = schema.element as z.ZodType
    else return []
    schema = schema && bareSchema(schema)
  }
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

/** The schema of the value itself, without optional, default and transform wrappers. */
export function bareSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return bareSchema(schema.unwrap() as z.ZodType)
  return schema instanceof z.ZodPipe ? bareSchema(schema.in as z.ZodType) : schema
}
