import { URI } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { base32, groupedSecret, totpUri } from '../src/totp-uri.js'

const SECRET = Buffer.from('12345678901234567890')

it.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %j is the vector of RFC 4648 §10 without padding', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded)
})

it('groups the text of a secret by four', () => {
  expect(groupedSecret(SECRET)).toBe('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')
})

it('is the whole URI', () => {
  expect(totpUri(SECRET, { issuer: 'Ostiary (id.example)', username: 'ann@example.com' })).toBe(
    'otpauth://totp/Ostiary%20(id.example):ann%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' +
      '&issuer=Ostiary%20(id.example)&algorithm=SHA1&digits=6&period=30',
  )
})

const NAMES = [
  'ann',
  'a b',
  'a/b',
  'a//b?c#d',
  '100%',
  '%3A',
  'a&issuer=Evil&secret=AAAA',
  'a+b=c',
  '"<b>\'',
  'Zoë Łukasiewicz',
  '山田太郎',
  'عبد الله',
  '👩‍👧',
  'a\r\nb',
]

describe.each(NAMES)('the name %j', (name) => {
  it('is read back by otpauth, as the issuer and as the user name', () => {
    const read = URI.parse(totpUri(SECRET, { issuer: name, username: name }))
    expect([read.issuer, read.label]).toEqual([name, name])
    expect(Buffer.from(read.secret.bytes)).toEqual(SECRET)
    expect(read).toMatchObject({ algorithm: 'SHA1', digits: 6, period: 30 })
  })

  it('stays in its place in the URL', () => {
    const url = new URL(totpUri(SECRET, { issuer: name, username: name }))
    expect([...url.searchParams.keys()].join()).toBe('secret,issuer,algorithm,digits,period')
    expect([url.host, url.hash, url.searchParams.get('issuer')]).toEqual(['totp', '', name])
    expect(url.pathname.slice(1).split(':').map(decodeURIComponent)).toEqual([name, name])
  })
})

it('escapes a colon: one separates the issuer from the user', () => {
  const uri = totpUri(SECRET, { issuer: 'localhost:3000', username: 'urn:ann' })
  expect(uri).toContain('/localhost%3A3000:urn%3Aann?')
  expect(new URL(uri).searchParams.get('issuer')).toBe('localhost:3000')
})

describe('a long name', () => {
  const cut = (username: string) => {
    const [, label = ''] = /:([^:?]*)\?/.exec(totpUri(SECRET, { issuer: 'x', username })) ?? []
    return { length: label.length, text: decodeURIComponent(label) }
  }

  it.each([
    ['a'.repeat(180), 'a'.repeat(180)],
    ['a'.repeat(181), `${'a'.repeat(171)}…`],
    ['é'.repeat(30), 'é'.repeat(30)],
    ['é'.repeat(31), `${'é'.repeat(28)}…`],
    ['😀'.repeat(256), `${'😀'.repeat(14)}…`],
  ])('%j becomes %j', (username, text) => {
    expect(cut(username).text).toBe(text)
    expect(cut(username).length).toBeLessThanOrEqual(180)
  })

  it('may have a lone surrogate', () => {
    expect(cut('a\ud800b').text).toBe('a\ufffdb')
    expect(cut(`\udc00${'a'.repeat(200)}`).text).toBe(`\ufffd${'a'.repeat(162)}…`)
  })
})
