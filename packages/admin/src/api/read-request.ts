/** Reads the body and the query of a request, and checks them with the schemas of its operation. */

import { configFaults, isStorableText, readBodyBytes, readBy } from '@ostiary/core'
import type * as z from 'zod'
import type { Operation } from './operation.js'
import { ProblemError, type RequestFault } from './problem.js'

/** Of the JSON text. */
const MAX_BODY_BYTES = 65_536
/** Levels of objects and lists in each other. */
const MAX_DEPTH = 32

/** @param body As the host has read it; undefined when it has not. @throws ProblemError */
export async function readGiven(
  { query, body: schema, is_patch }: Operation,
  request: Request,
  body: Uint8Array | null | undefined,
): Promise<{ query: unknown; body: unknown }> {
  const faults: RequestFault[] = []
  const given = Object.fromEntries(new URL(request.url).searchParams)
  const parsed_query = checked(query ?? null, given, { faults, prefix: '?' })
  const json = schema && (await jsonBody(request, body, is_patch ? PATCH_TYPES : JSON_TYPES))
  const parsed_body = schema && checked(schema, json, { faults, prefix: '/' })
  if (faults.length > 0) throw invalid(faults)
  return { query: parsed_query, body: parsed_body }
}

const invalid = (errors: readonly RequestFault[]): ProblemError =>
  new ProblemError('invalid_request', {
    detail: errors.map(({ pointer, message }) => `${pointer}: ${message}`).join('; '),
    errors,
  })

function checked(
  schema: z.ZodType | null,
  value: unknown,
  { faults, prefix }: { faults: RequestFault[]; prefix: string },
): unknown {
  if (schema === null) {
    const names = Object.keys(value as object)
    for (const name of names) faults.push({ pointer: prefix + name, message: 'there is no such parameter' })
    return {}
  }
  if (!isStorable(value)) {
    faults.push({ pointer: prefix, message: 'a text has no NUL, and no half of a surrogate pair' })
    return undefined
  }
  const result = readBy(schema, value)
  if (result.success) return result.data
  for (const { path, message, meant } of configFaults(result.error, '', schema))
    faults.push({
      pointer: prefix + pointerOf(path),
      message,
      ...(meant !== undefined && { suggestion: meant }),
    })
  return undefined
}

const pointerOf = (path: string): string =>
  path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('.', '/')

/** Whether each text in a value can be stored, names of members too. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, member]) => isStorableText(name) && isStorable(member))
}

const JSON_TYPES = ['application/json']
const PATCH_TYPES = ['application/merge-patch+json', ...JSON_TYPES]

async function jsonBody(
  request: Request,
  given: Uint8Array | null | undefined,
  types: readonly string[],
): Promise<unknown> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  if (!types.includes(type.trim().toLowerCase()))
    throw new ProblemError('unsupported_media_type', `Send the body as ${types[0]}`)
  const bytes = given === undefined ? await readBodyBytes(request, MAX_BODY_BYTES) : given
  if (bytes === 'too_large' || (bytes?.length ?? 0) > MAX_BODY_BYTES)
    throw new ProblemError('too_large', `A body has at most ${MAX_BODY_BYTES} bytes`)
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes ?? new Uint8Array())
    if (depthOf(text) > MAX_DEPTH) throw new SyntaxError('too deep')
    return JSON.parse(text)
  } catch {
    throw invalid([{ pointer: '/', message: 'give JSON in UTF-8, with at most 32 levels' }])
  }
}

/** The levels of brackets, those in strings too: JSON.parse itself has no limit. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const character of text) {
    if (character === '{' || character === '[') depth += 1
    if (character === '}' || character === ']') depth -= 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}
