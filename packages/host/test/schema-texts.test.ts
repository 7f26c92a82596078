/** What a wrong value is told: by sentences of ours, never by a raw message of zod. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bareSchema, readBy } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { clientSchema, configSchema } from '../src/config/file-schema.js'

const WRONG: readonly unknown[] = [
  undefined,
  null,
  true,
  Number.NaN,
  -1.5,
  1.5,
  1e300,
  '',
  'a text',
  'x'.repeat(10_000),
  [],
  [1],
  Array(1000).fill('x'),
  { 'no such key': 1 },
  { 'A key / of no record': {}, '': {} },
]

function partsOf(inner: z.ZodType): [string, z.ZodType][] {
  if (inner instanceof z.ZodObject) return Object.entries(inner.shape as Record<string, z.ZodType>)
  if (inner instanceof z.ZodRecord) return [['*', inner.valueType as z.ZodType]]
  return inner instanceof z.ZodArray ? [['0', inner.element as z.ZodType]] : []
}

/** The schemas of the value itself, of its entries, of its keys and of their values, each with its path. */
function schemasOf(schema: z.ZodType, path = ''): { path: string; schema: z.ZodType }[] {
  const below = partsOf(bareSchema(schema))
  return [{ path, schema }, ...below.flatMap(([key, value]) => schemasOf(value, `${path}.${key}`))]
}

/** The issues of zod with their messages, each with those that it holds. */
const issuesOf = (schema: z.ZodType): z.core.$ZodIssue[] =>
  WRONG.flatMap((value) => readBy(schema, value).error?.issues ?? [])

/** Words of zod, whose messages are for programmers. */
const OF_ZOD = /Invalid|expected|received|Too (?:small|big)|Unrecognized|pattern/

const ALL = [...schemasOf(configSchema, 'file'), ...schemasOf(clientSchema, 'client')]

it('the walk reaches every kind of a fault that the schemas can find', () => {
  const codes = new Set(ALL.flatMap(({ schema }) => issuesOf(schema)).map(({ code }) => code))
  expect([...codes].sort()).toEqual([
    'custom',
    'invalid_format',
    'invalid_key',
    'invalid_type',
    'invalid_value',
    'too_big',
    'too_small',
    'unrecognized_keys',
  ])
})

it.each(ALL)('$path: no wrong value has a message of zod', ({ schema }) => {
  for (const { message } of issuesOf(schema)) expect(message).not.toMatch(OF_ZOD)
})

describe('each kind says what to give', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.string(), undefined, 'missing: give a text'],
    [z.string(), 1, 'give a text'],
    [z.number(), 'x', 'give a number'],
    [z.int(), 1.5, 'give a whole number'],
    [z.boolean(), 'true', 'give true or false'],
    [z.array(z.string()), {}, 'give a list'],
    [z.tuple([z.string()]), 'x', 'give a list'],
    [z.strictObject({}), [], 'give an object, { … }'],
    [z.record(z.string(), z.string()), 'x', 'give an object, { … }'],
    [z.string().min(16), 'x', 'give at least 16 characters'],
    [z.string().min(1), '', 'give at least 1 character'],
    [z.string().max(2), 'xxx', 'give at most 2 characters'],
    [z.array(z.string()).min(1), [], 'give at least 1 entry'],
    [z.array(z.string()).max(2), ['', '', ''], 'give at most 2 entries'],
    [z.number().positive(), 0, 'give more than 0'],
    [z.number().max(9), 10, 'give at most 9'],
    [z.number().lt(9), 9, 'give less than 9'],
    [z.enum(['a', 'b']), 'c', 'give a or b'],
    [z.enum(['a', 'b', 'c']), 'd', 'give a, b or c'],
    [z.literal('code'), undefined, 'missing: give code'],
    [z.strictObject({}), { a: 1, b: 1 }, 'there is no such key: a, b'],
    [z.string().regex(/^x$/), 'y', 'give a text of the form /^x$/'],
    [z.iso.datetime(), 'y', 'give a text of the form /'],
    [z.record(z.string().regex(/^x$/, 'the key is x'), z.string()), { y: '' }, 'the key is x'],
    [z.union([z.string(), z.number()]), true, 'give a text'],
    [
      z.discriminatedUnion('alg', [z.object({ alg: z.literal('A') }), z.object({ alg: z.literal('B') })]),
      { alg: 'C' },
      'give A or B',
    ],
    [z.string().refine(() => false), 'x', 'this value is not allowed'],
    [z.string('its own text'), 1, 'its own text'],
  ])('%#: %j', (schema, value, text) => {
    expect(readBy(schema, value).error?.issues[0]?.message).toMatch(
      text.startsWith('give a text of the form /') ? text.slice(0, 25) : text,
    )
  })
})

/** Their values are of a program, or their messages are not shown. */
const UNSHOWN = [
  'core/src/util/schema-text.ts',
  'host/src/config/read-config.ts',
  'host/src/config/try-out.ts',
  'host/src/management/realm-file.ts',
  'host/src/management/realm-records.ts',
  'simulation/src/command-places.ts',
]

it('values are read by readBy wherever a message is shown', () => {
  const packages = fileURLToPath(new URL('../..', import.meta.url))
  const files = readdirSync(packages).flatMap((name) => {
    try {
      return readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' }).map(
        (file) => `${name}/src/${file}`,
      )
    } catch {
      return []
    }
  })
  const own = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  expect(own.length).toBeGreaterThan(300)
  const using = own.filter((file) => readFileSync(join(packages, file), 'utf8').includes('.safeParse('))
  expect(using.sort()).toEqual(UNSHOWN)
})
