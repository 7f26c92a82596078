import { expect, it } from 'vitest'
import { attributesFault, groupsFault } from './attributes.js'

/** A list in a list in …: `levels` of them. */
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`)

it.each<[string, object]>([
  ['no names', {}],
  ['every type of JSON', { a: null, b: true, c: 0.1, d: 'é\n🦉', e: [1, ['x']], f: { g: {} } }],
  ['a URI as a name', { 'https://example.com/roles': ['admin'] }],
  ['names of properties', { constructor: 1, toString: 2 }],
  ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
  ['8 levels', { a: nested(8) }],
  ['100 names', Object.fromEntries(names(100).map((name) => [name, 1]))],
  ['16,384 characters of JSON', { a: 'x'.repeat(16_384 - '{"a":""}'.length) }],
])('attributes may be %s', (_, attributes) => {
  expect(attributesFault(attributes)).toBeNull()
})

it.each<[string, unknown, string]>([
  ['a list', [], 'must be an object'],
  ['null', null, 'must be an object'],
  ['a date', new Date(0), 'must be an object'],
  ['101 names', Object.fromEntries(names(101).map((name) => [name, 1])), 'at most 100 names'],
  ['16,385 characters of JSON', { a: 'x'.repeat(16_385 - '{"a":""}'.length) }, 'at most 16384 characters'],
  ['an empty name', { '': 1 }, 'attribute "": a name has 1 to 128'],
  ['a space in a name', { 'a b': 1 }, 'a name has'],
  ['a name of 129 characters', { ['a'.repeat(129)]: 1 }, 'a name has'],
  ['the name __proto__', JSON.parse('{"__proto__":1}'), 'a name has'],
  ['the name groups', { groups: ['a'] }, 'attribute "groups": write the groups of a user under groups'],
  ['9 levels', { a: nested(9) }, 'at most 8 levels'],
  ['5,000 levels', { a: nested(5000) }, 'at most 8 levels'],
  ['NUL in a text', { a: [{ b: 'x\0y' }] }, 'must not contain NUL'],
  ['NUL in a name of an object', { a: { 'x\0': 1 } }, 'must not contain NUL'],
  ['half a surrogate pair', { a: 'x\ud800y' }, 'unpaired surrogate'],
  ['half a surrogate pair in a name', { a: { '\udc00': 1 } }, 'unpaired surrogate'],
  ['Infinity', { a: Number.POSITIVE_INFINITY }, 'must be finite'],
  ['undefined', { a: undefined }, 'what JSON can write'],
  ['a bigint', { a: 1n }, 'what JSON can write'],
  ['a function', { a: { toJSON: () => 'x' } }, 'what JSON can write'],
  ['a date in a list', { a: [new Date(0)] }, 'what JSON can write'],
])('attributes cannot be %s', (_, attributes, fault) => {
  expect(attributesFault(attributes)).toContain(fault)
})

it.each<[string, unknown]>([
  ['no names', []],
  ['names with spaces and every script', ['Domain Admins', 'équipe', '名前', '🦉']],
  ['500 names', names(500)],
  ['a name of 255 characters', ['a'.repeat(255)]],
])('groups may be %s', (_, groups) => {
  expect(groupsFault(groups)).toBeNull()
})

it.each<[string, unknown, string]>([
  ['a text', 'staff', 'must be a list'],
  ['501 names', names(501), 'at most 500 names'],
  ['a number', ['a', 1], 'groups.1 must have'],
  ['an empty name', [''], 'groups.0 must have'],
  ['a name of 256 characters', ['a'.repeat(256)], '1 to 255 characters'],
  ['NUL', ['a\0'], 'no control characters'],
  ['half a surrogate pair', ['a\ud800'], 'unpaired surrogates'],
  ['more than 16,384 characters of JSON', names(100).map((n) => n.padEnd(200)), 'at most 16384 characters'],
])('groups cannot be %s', (_, groups, fault) => {
  expect(groupsFault(groups)).toContain(fault)
})
