import fc from 'fast-check'
import { expect, it } from 'vitest'
import { copied } from './maps.js'

it('a copy of plain data is equal, and shares nothing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copy = copied(value)
      expect(copy).toEqual(structuredClone(value))
      expect(JSON.stringify(copy)).toBe(JSON.stringify(value))
    }),
  )
  const record = { amr: ['pwd'], claims: { address: { country: 'DE' } }, none: null, undefined }
  const copy = copied(record)
  expect(copy).toStrictEqual(record)
  copy.amr.push('otp')
  copy.claims.address.country = 'FR'
  expect(record).toMatchObject({ amr: ['pwd'], claims: { address: { country: 'DE' } } })
})

it('a member called __proto__ stays a member', () => {
  const copy = copied(JSON.parse('{"claims":{"__proto__":{"admin":true}}}'))
  expect(Object.hasOwn(copy.claims, '__proto__')).toBe(true)
  expect(copy.claims.admin).toBeUndefined()
})
