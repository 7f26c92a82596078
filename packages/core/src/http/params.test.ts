import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OAuthError } from './errors.js'
import { parseParams, refuseRepeated, required } from './params.js'

describe('parseParams', () => {
  it.each<[string, string | null, string | null]>([
    ['', null, null],
    ['b=1', null, null],
    ['a', null, null],
    ['a=', null, null],
    ['a=%20', null, ' '],
    ['a=1', '1', '1'],
    ['a=%20x+y%20', 'x y', ' x y '],
    ['?a=1', null, null],
    ['a=1&b=2', '1', '1'],
    ['&&a=1&', '1', '1'],
    ['a=b=c', 'b=c', 'b=c'],
    ['%61=1', '1', '1'],
    ['a=%C3%A9%F0%9F%94%91', 'é🔑', 'é🔑'],
    ['a=%zz', '%zz', '%zz'],
    ['a=%ff', '\ufffd', '\ufffd'],
    ['A=1', null, null],
    ['a[]=1', null, null],
    ['a=%0D%0A1', '1', '\r\n1'],
  ])('%j: a is %j, exactly %j', (text, trimmed, exact) => {
    const params = parseParams(text)
    expect([params.get('a'), params.exact('a')]).toEqual([trimmed, exact])
  })

  it('reads any text as URLSearchParams does', () => {
    const piece = fc.constantFrom(...'ab=&+%?#é ;\0', '%61', '%c3%a9')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom(0, 0, 100), (pieces, many) => {
        const text = pieces.join('') + '&x=%20'.repeat(many)
        const read = parseParams(text)
        const expected = new URLSearchParams(`?${text}`)
        for (const name of new Set(expected.keys())) {
          expect(read.exact(name)).toBe(expected.getAll(name).at(-1) || null)
          expect(read.repeated.has(name)).toBe(expected.getAll(name).length > 1)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it.each<[string, string[], string[]]>([
    ['a=1&b=2', [], []],
    ['a=1&a=1', ['a'], []],
    ['a=&a=', ['a'], []],
    ['a=1&%61=2&b=3&b=4&b=5', ['a', 'b'], []],
    ['a=1&A=1', [], []],
    ['a=%00', [], ['a']],
    ['a=x%00y&b=1&a=2', ['a'], ['a']],
    ['__proto__=1&constructor=2', [], []],
  ])('%j: repeated are %j, malformed are %j', (text, repeated, malformed) => {
    const params = parseParams(text)
    expect([[...params.repeated], [...params.malformed]]).toEqual([repeated, malformed])
  })

  it('counts the words of a value as they are when it is decoded', () => {
    const piece = fc.constantFrom('a', 'bc', ' ', '+', '%20', '%2B', '%2520', '%', '%2', 'é', '%0A', '%zz')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 0, max: 6 }), (pieces, limit) => {
        const read = parseParams(`a=${pieces.join('')}`)
        const words = (read.exact('a') ?? '').split(' ').filter(Boolean)
        expect(read.hasMoreWords('a', limit)).toBe(words.length > limit)
      }),
      { numRuns: 2000 },
    )
    expect(parseParams('a=1').hasMoreWords('b', 0)).toBe(false)
  })

  it('knows no parameter that was not sent', () => {
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect(parseParams('a=1').get(name)).toBeNull()
  })
})

describe('refuseRepeated', () => {
  it.each<[string, string[] | undefined]>([
    ['a=1&b=2', undefined],
    ['a=1&a=1', ['b']],
    ['a=%00', ['b']],
    ['', undefined],
  ])('%j passes, looking at %j', (text, names) => {
    expect(() => refuseRepeated(parseParams(text), names)).not.toThrow()
  })

  it.each<[string, string[] | undefined, string]>([
    ['a=1&a=1', undefined, 'A parameter a is given more than once'],
    ['a=1&a=1', ['a'], 'A parameter a is given more than once'],
    ['a=%00', undefined, 'A parameter a holds a NUL character'],
    ['%22evil%22=1&%22evil%22=1', undefined, 'A parameter is given more than once'],
    [`${'n'.repeat(65)}=&${'n'.repeat(65)}=`, undefined, 'A parameter is given more than once'],
  ])('%j is refused, looking at %j: %s', (text, names, message) => {
    const event_description = message.replace(/^A parameter \S+ (?=is |holds )/, 'A parameter ')
    const refusal = new OAuthError('invalid_request', message, { reason: 'bad_parameter', event_description })
    expect(() => refuseRepeated(parseParams(text), names)).toThrow(refusal)
  })
})

it('required gives the value, or refuses', () => {
  expect(required(parseParams('a=+1'), 'a')).toBe('1')
  for (const text of ['', 'a=', 'a=+'])
    expect(() => required(parseParams(text), 'a')).toThrow(/^The parameter a is missing$/)
})
