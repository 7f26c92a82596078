/** Reads the schema of the configuration: the keys at a path, and the settings that a variable can give. */

import * as z from 'zod'
import { configSchema } from './file-schema.js'

/** A setting with a value: a list or a map is one, a group of keys is not. */
export interface Leaf {
  /** E.g. `oidc.tokens.access_token`. */
  path: string
  kind: 'text' | 'number' | 'boolean' | 'json'
  schema: z.ZodType
  /** Undefined when there is none. */
  default_value: unknown
  description: string
  /** True when the value must not be printed. */
  secret: boolean
}

/** Every setting, in the order of the schema. */
export const leaves = (schema: z.ZodType = configSchema): Leaf[] => leavesBelow(schema, '')

function leavesBelow(schema: z.ZodType, path: string): Leaf[] {
  const inner = bare(schema)
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape).flatMap(([key, value]) =>
      leavesBelow(value as z.ZodType, path === '' ? key : `${path}.${key}`),
    )
  const { description = '', writeOnly } = schema.meta() ?? {}
  const secret = writeOnly === true
  return [{ path, kind: kindOf(inner), schema: inner, default_value: defaultOf(schema), description, secret }]
}

function kindOf(schema: z.ZodType): Leaf['kind'] {
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return 'text'
  if (schema instanceof z.ZodNumber) return 'number'
  return schema instanceof z.ZodBoolean ? 'boolean' : 'json'
}

/** The keys that a group, an entry of a list or a value of a map at this path may have. */
export function keysAt(path: string): string[] {
  let schema: z.ZodType | undefined = bare(configSchema)
  for (const step of path === '' ? [] : path.split('.')) {
    if (schema instanceof z.ZodObject) schema = schema.shape[step] as z.ZodType | undefined
    else if (schema instanceof z.ZodRecord) schema = schema.valueType as z.ZodType
    else if (schema instanceof z.ZodArray) schema = schema.element as z.ZodType
    else return []
    schema = schema && bare(schema)
  }
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

/** The schema of the value itself, without optional, default and transform wrappers. */
export function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return bare(schema.unwrap() as z.ZodType)
  return schema instanceof z.ZodPipe ? bare(schema.in as z.ZodType) : schema
}

const defaultOf = (schema: z.ZodType): unknown =>
  schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined
