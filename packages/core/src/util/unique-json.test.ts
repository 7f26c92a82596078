import { describe, expect, it } from 'vitest'
import { parseUniqueJson } from './unique-json.ts'

describe('a repeated member', () => {
  it.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":{"c":[]},"a":2}',
    '{"a":{"b":1,"b":2}}',
    '[{"a":1},{"a":1,"a":2}]',
    '{"a":1,"\\u0061":2}',
    '{"a" \n\t\r: 1, "a":2}',
    '{"":1,"":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"a\\"":1,"a\\"":2}',
    '{"\\\\":1,"\\\\":2}',
  ])('%s is refused', (text) => {
    expect(JSON.parse(text)).toBeDefined()
    expect(() => parseUniqueJson(text)).toThrow('A member is repeated')
  })

  it.each([
    '{"a":1,"A":1}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"b","b":"a"}',
    '{"a":"\\"a\\":","b":["a","a"]}',
    '{"a":"{","b":"}"}',
    '{"\\u00e9":1,"e\\u0301":2}',
    '"a"',
    '7',
    '[]',
  ])('%s has none', (text) => {
    expect(parseUniqueJson(text)).toEqual(JSON.parse(text))
  })

  it.each(['', '{', '{"a":1,}', "{'a':1}", '"', '"\\'])('%s is no JSON', (text) => {
    expect(() => parseUniqueJson(text)).toThrow(SyntaxError)
  })
})
