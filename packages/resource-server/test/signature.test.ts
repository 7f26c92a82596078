/** The check of one signature: the same with the modules of Node and with Web APIs. */

import {
  constants,
  createHash,
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
  sign,
} from 'node:crypto'
import type { JWK } from 'jose'
import { describe, expect, it } from 'vitest'
import * as chosen from '#platform'
import { importPublicKey, type SignatureAlgorithm } from '../src/algorithms.js'
import { isSignedBy } from '../src/index.js'
import * as web from '../src/platform.js'
import * as node from '../src/platform-node.js'

const INPUT = 'eyJhbGciOiJub25lIn0.e30'
const DIGESTS = { RS256: 'sha256', PS256: 'sha256', ES256: 'sha256', EdDSA: null } as const
const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
const OPTIONS = { RS256: {}, PS256: PSS, ES256: { dsaEncoding: 'ieee-p1363' }, EdDSA: {} } as const
const ALGORITHMS = Object.keys(DIGESTS) as SignatureAlgorithm[]
/** The order of P-256 (FIPS 186-4 §D.1.2.3): r and s are smaller. */
const ORDER = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'

interface Pair {
  private_key: KeyObject
  public_jwk: JWK
  key: CryptoKey
}

interface RsaOptions {
  modulusLength?: number
  publicExponent?: number
  /** Another key than that without it. */
  other?: boolean
}

async function pair(alg: SignatureAlgorithm, rsa: RsaOptions = {}): Promise<Pair> {
  const { privateKey, publicKey } = generate(alg, rsa)
  const public_jwk = publicKey.export({ format: 'jwk' }) as JWK
  const key = await importPublicKey(public_jwk, alg)
  if (key === null) throw new Error('the key is refused')
  return { private_key: privateKey, public_jwk, key }
}

function generate(alg: SignatureAlgorithm, rsa: RsaOptions) {
  if (alg === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  if (alg === 'EdDSA') return generateKeyPairSync('ed25519')
  return rsaPair(rsa)
}

/** Each is made once: it takes a part of a second. RS256 and PS256 sign with the same ones. */
const RSA_PAIRS = new Map<string, KeyPairKeyObjectResult>()
function rsaPair({ modulusLength = 2048, publicExponent = 65537, other = false }: RsaOptions) {
  const name = JSON.stringify([modulusLength, publicExponent, other])
  const made = RSA_PAIRS.get(name) ?? generateKeyPairSync('rsa', { modulusLength, publicExponent })
  RSA_PAIRS.set(name, made)
  return made
}

const PAIRS = Object.fromEntries(
  await Promise.all(ALGORITHMS.map(async (alg) => [alg, await pair(alg)] as const)),
) as Record<SignatureAlgorithm, Pair>

const signed = (alg: SignatureAlgorithm, { private_key } = PAIRS[alg], input = INPUT): Buffer =>
  sign(DIGESTS[alg], Buffer.from(input), { key: private_key, ...OPTIONS[alg] })

const changed = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

/** Signatures of the usual length that the key has not made for the input. */
const forgeries = async (alg: SignatureAlgorithm): Promise<[string, Buffer][]> => {
  const good = signed(alg)
  const { length } = good
  return [
    ['of another key', signed(alg, await pair(alg, { other: true }))],
    ['for another text', signed(alg, PAIRS[alg], `${INPUT}x`)],
    ['with its first bit changed', changed(good, 0)],
    ['with its last bit changed', changed(good, length - 1)],
    ['of zeros', Buffer.alloc(length)],
    ['of ones', Buffer.alloc(length, 0xff)],
    ...(alg === 'ES256' ? outOfRange() : []),
  ]
}

/** Signatures of other lengths. */
const otherLengths = (alg: SignatureAlgorithm): [string, Buffer][] => {
  const good = signed(alg)
  return [
    ['without its last byte', good.subarray(0, -1)],
    ['without its first byte', good.subarray(1)],
    ['with a byte more', Buffer.concat([good, Buffer.alloc(1)])],
    ['with a zero before it', Buffer.concat([Buffer.alloc(1), good])],
    ['twice', Buffer.concat([good, good])],
    ['of no bytes', Buffer.alloc(0)],
    ['of one byte', Buffer.alloc(1, 1)],
    ...(alg === 'ES256' ? otherEncodings() : []),
  ]
}

/** r and s that are outside of the range from which they are taken. */
const outOfRange = (): [string, Buffer][] => {
  const good = signed('ES256')
  const order = Buffer.from(ORDER, 'hex')
  return [
    ['with r of zero', Buffer.concat([Buffer.alloc(32), good.subarray(32)])],
    ['with s of zero', Buffer.concat([good.subarray(0, 32), Buffer.alloc(32)])],
    ['with r of the order', Buffer.concat([order, good.subarray(32)])],
    ['with s of the order', Buffer.concat([good.subarray(0, 32), order])],
    ['with r and s of the order', Buffer.concat([order, order])],
  ]
}

const otherEncodings = (): [string, Buffer][] => [
  ['in DER', sign('sha256', Buffer.from(INPUT), PAIRS.ES256.private_key)],
  ['with 48 bytes for each number', Buffer.concat(padded(signed('ES256'), 16))],
]
const padded = (good: Buffer, bytes: number): Buffer[] => [
  Buffer.alloc(bytes),
  good.subarray(0, 32),
  Buffer.alloc(bytes),
  good.subarray(32),
]

type Verify = (input: web.SignatureInput) => boolean | Promise<boolean>
const IMPLEMENTATIONS: [string, Verify][] = [
  ['WebCrypto', web.verifySignature],
  ['node:crypto, in this thread', node.verifySynchronously],
  ['that of Node', node.verifySignature],
]

it('this run uses the implementation that the package chooses for it', () => {
  const expected = process.env.TESTED_PLATFORM === 'web' ? web : node
  expect(chosen.verifySignature).toBe(expected.verifySignature)
  expect(chosen.sha256Characters).toBe(expected.sha256Characters)
  expect(chosen.decodedText).toBe(expected.decodedText)
})

describe.each(ALGORITHMS)('%s', (alg) => {
  it.each(IMPLEMENTATIONS)('%s: accepts what the key has signed, and nothing else', async (_, verify) => {
    const { key } = PAIRS[alg]
    const result = async (bytes: Buffer) => {
      try {
        return await verify({ alg, key, input: INPUT, signature: bytes.toString('base64url') })
      } catch {
        return 'an error'
      }
    }
    expect(await result(signed(alg))).toBe(true)
    for (const [name, bytes] of await forgeries(alg))
      expect([name, await result(bytes)]).not.toEqual([name, true])
  })

  it('isSignedBy is false for a forged signature, and never an error', async () => {
    const { key } = PAIRS[alg]
    const result = (bytes: Buffer) =>
      isSignedBy(key, { alg, input: INPUT, signature: bytes.toString('base64url') })
    expect(await result(signed(alg))).toBe(true)
    const forged = [...(await forgeries(alg)), ...otherLengths(alg)]
    for (const [name, bytes] of forged) expect([name, await result(bytes)]).toEqual([name, false])
  })

  it.each([
    ['a character more', (text: string) => `${text}A`],
    ['two characters more', (text: string) => `${text}AA`],
    ['padding', (text: string) => `${text}==`],
    ['a space', (text: string) => ` ${text}`],
    ['a line break', (text: string) => `${text}\n`],
    ['a dot', (text: string) => `${text}.`],
  ])('isSignedBy is false for a signature with %s', async (_, change) => {
    const { key } = PAIRS[alg]
    const signature = change(signed(alg).toString('base64url'))
    expect(await isSignedBy(key, { alg, input: INPUT, signature })).toBe(false)
  })

  it('isSignedBy is false for a signature in the alphabet of plain base64', async () => {
    const { key } = PAIRS[alg]
    for (let i = 0; ; i++) {
      const input = `${INPUT}${i}`
      const signature = signed(alg, PAIRS[alg], input).toString('base64url')
      const other = signature.replaceAll('-', '+').replaceAll('_', '/')
      if (other === signature) continue
      expect(await isSignedBy(key, { alg, input, signature })).toBe(true)
      expect(await isSignedBy(key, { alg, input, signature: other })).toBe(false)
      return
    }
  })

  it('isSignedBy is false for every other name of an algorithm', async () => {
    const { key } = PAIRS[alg]
    const signature = signed(alg).toString('base64url')
    const names = [...ALGORITHMS, 'none', 'HS256', 'RS384', 'ES384', '', 'constructor', undefined, [alg]]
    for (const other of names.filter((name) => name !== alg))
      expect([other, await isSignedBy(key, { alg: other, input: INPUT, signature })]).toEqual([other, false])
  })
})

it('Ed25519 is the newer name of EdDSA', async () => {
  const signature = signed('EdDSA').toString('base64url')
  expect(await isSignedBy(PAIRS.EdDSA.key, { alg: 'Ed25519', input: INPUT, signature })).toBe(true)
})

it('an RSA key serves the algorithm that it was imported for', async () => {
  const signature = signed('PS256', PAIRS.RS256).toString('base64url')
  const key = await importPublicKey(PAIRS.RS256.public_jwk, 'PS256')
  expect(key && (await isSignedBy(key, { alg: 'PS256', input: INPUT, signature }))).toBe(true)
  expect(await isSignedBy(PAIRS.RS256.key, { alg: 'PS256', input: INPUT, signature })).toBe(false)
})

it('a longer RSA key has longer signatures, of one spelling', async () => {
  const long = await pair('RS256', { modulusLength: 3072 })
  const signature = signed('RS256', long).toString('base64url')
  expect(await isSignedBy(long.key, { alg: 'RS256', input: INPUT, signature })).toBe(true)
  // 384 bytes are 512 characters: one more encodes nothing, and a decoder may ignore it.
  expect(await isSignedBy(long.key, { alg: 'RS256', input: INPUT, signature: `${signature}A` })).toBe(false)
})

it.each(['RS256', 'PS256'] as const)(
  '%s: the zeros that a signature begins with are part of it',
  async (alg) => {
    for (let i = 0; ; i++) {
      const input = `${INPUT}${i}`
      const good = signed(alg, PAIRS[alg], input)
      // One signature of 256 begins with a zero: without it, the number is the same.
      if (good[0] !== 0) continue
      const result = (bytes: Buffer) =>
        isSignedBy(PAIRS[alg].key, { alg, input, signature: bytes.toString('base64url') })
      expect(await result(good)).toBe(true)
      expect(await result(good.subarray(1))).toBe(false)
      return
    }
  },
)

const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

it('a key that must not verify is an error of the application', async () => {
  const { private_key, public_jwk } = PAIRS.RS256
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const keys: [string, CryptoKey, KeyObject][] = [
    [
      'a private key',
      await crypto.subtle.importKey('jwk', private_key.export({ format: 'jwk' }), RSA, false, ['sign']),
      private_key,
    ],
    ['without the usage', await crypto.subtle.importKey('jwk', public_jwk, RSA, false, []), private_key],
    [
      'a short key',
      await crypto.subtle.importKey('jwk', short.publicKey.export({ format: 'jwk' }), RSA, false, ['verify']),
      short.privateKey,
    ],
  ]
  for (const [name, key, signer] of keys) {
    const signature = sign('sha256', Buffer.from(INPUT), signer).toString('base64url')
    const result = isSignedBy(key, { alg: 'RS256', input: INPUT, signature }).catch((error) => error.name)
    expect([name, await result]).toEqual([name, 'TypeError'])
  }
})

it('what takes long is verified in another thread', async () => {
  const { RS256, PS256, ES256, EdDSA } = PAIRS
  for (const cores of [1, 2]) {
    expect(node.isSynchronous('RS256', RS256.key, cores)).toBe(true)
    expect(node.isSynchronous('PS256', PS256.key, cores)).toBe(true)
    expect(node.isSynchronous('ES256', ES256.key, cores)).toBe(cores === 1)
    expect(node.isSynchronous('EdDSA', EdDSA.key, cores)).toBe(cores === 1)
    expect(node.isSynchronous('RS256', (await pair('RS256', { modulusLength: 3072 })).key, cores)).toBe(false)
    expect(
      node.isSynchronous('RS256', (await pair('RS256', { publicExponent: 0xffff_ffff })).key, cores),
    ).toBe(false)
  }
})

it.each([
  ['Web APIs', web, (bytes: Buffer) => new TextDecoder('latin1').decode(bytes)],
  ['Node', node, (bytes: Buffer) => bytes.toString('latin1')],
] as const)('%s: hashes and decodes', (_, { sha256Characters, decodedText }, characters) => {
  for (const text of ['', 'abc', 'é', '\u{1f511}', 'x'.repeat(1000)]) {
    expect(sha256Characters(text)).toBe(characters(createHash('sha256').update(text).digest()))
    expect(decodedText(Buffer.from(text).toString('base64url'))).toBe(text)
  }
  const every_byte = characters(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)))
  expect(new Set(every_byte).size).toBe(256)
  expect(() => decodedText('_w')).toThrow(TypeError)
})
