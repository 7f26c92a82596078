/** Reads the schema of the configuration: the keys at a path, and the settings that a variable can give. */

import { bareSchema, keysAt } from '@ostiary/core'
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
  const inner = bareSchema(schema)
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
export const configKeysAt = (path: string): string[] =>
  keysAt(configSchema, path === '' ? [] : path.split('.'))

const defaultOf = (schema: z.ZodType): unknown =>
  schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined
