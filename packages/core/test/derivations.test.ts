/** Keys derived from the provider's secret. A change would make every stored key unreadable, so it needs a migration. */

import { describe, expect, it } from 'vitest'
import { createSigningKey, openSigningKey } from '../src/crypto/keys.js'
import { seal, unseal } from '../src/crypto/sealed.js'
import { deriveSecrets } from '../src/crypto/secrets.js'
import { hmac } from '../src/util/secret.js'

const SECRET = 'a-secret-of-the-tests-a-secret-of-the-tests'
const zeros = (bytes: number) => new Uint8Array(bytes)

/** AES-GCM of zeros: differs between two keys without revealing them. */
const fingerprint = async (key: CryptoKey) =>
  Buffer.from(await crypto.subtle.encrypt({ name: 'AES-GCM', iv: zeros(12) }, key, zeros(16))).toString('hex')

describe('deriveSecrets', () => {
  it('gives the same keys for the same secret, in every version', async () => {
    const { seal: sealing, rotation, requests, registrations, nonces } = await deriveSecrets(SECRET)
    expect({
      sealing: await fingerprint(sealing),
      rotation: hmac(rotation, 'a refresh token'),
      requests: hmac(requests, 'a request'),
      registrations: hmac(registrations, 'a client'),
      nonces: hmac(nonces, 'a realm'),
    }).toMatchInlineSnapshot(`
      {
        "nonces": "hLu_D4_haH05nKmNPP0RNsl0LEGZ_wi3NeBVlCXw-Kg",
        "registrations": "UdnwxhqavZT3ObGnldS_Vb8oSYlhA3zSoZWa3PORHVc",
        "requests": "ttjbrUxxiGxt-O2QJlBa1bfZf7ckx4eJfsAVWV8nKHM",
        "rotation": "EWTQbHYipHazYMlhp0yPJGDzGDfvr6I2aYSAdcSKWyw",
        "sealing": "661f958c7fee02f33eb0ce11e0bc395dc3a5e1041f23308ee3f01ec148e48e83",
      }
    `)
  })

  it('gives other keys for another secret, and each purpose its own', async () => {
    const one = await deriveSecrets(SECRET)
    const two = await deriveSecrets(`${SECRET}!`)
    expect(await fingerprint(one.seal)).not.toBe(await fingerprint(two.seal))
    const all = [one, two].flatMap(({ rotation, requests, registrations, nonces }) => [
      hmac(rotation, 'x'),
      hmac(requests, 'x'),
      hmac(registrations, 'x'),
      hmac(nonces, 'x'),
    ])
    expect(new Set(all).size).toBe(8)
  })
})

describe('a sealed signing key', () => {
  it('opens with its secret, for its own realm and kid alone', async () => {
    const { seal: sealing } = await deriveSecrets(SECRET)
    const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
    const key = await createSigningKey({
      realm: 'acme',
      alg: 'RS256',
      seal: sealing,
      random,
      now: () => 1,
      publish_before: 0,
    })
    const other = await deriveSecrets(`${SECRET}!`)
    expect((await openSigningKey(key, { realm: 'acme', seals: [sealing] })).kid).toBe(key.kid)
    for (const [record, realm, secret] of [
      [key, 'other', sealing],
      [{ ...key, kid: 'another' }, 'acme', sealing],
      [key, 'acme', other.seal],
    ] as const)
      await expect(openSigningKey(record, { realm, seals: [secret] })).rejects.toThrow('cannot be decrypted')
  })
})

describe('a sealed value', () => {
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
  const options = { secret: new Uint8Array(32).fill(1), use: 'a use' }

  it('opens for its own purpose and secret alone', async () => {
    const value = { text: 'ü', list: [1, null] }
    const sealed = await seal(value, options, random)
    expect(await unseal(sealed, options)).toEqual(value)
    expect(await unseal(sealed, { ...options, use: 'another use' })).toBeNull()
    expect(await unseal(sealed, { ...options, secret: new Uint8Array(32).fill(2) })).toBeNull()
  })

  it('is never the same twice, and has a key of its own', async () => {
    const sealed = await Promise.all(Array.from({ length: 50 }, () => seal({ a: 1 }, options, random)))
    expect(new Set(sealed).size).toBe(50)
    // With one key for all, the same IV would give the same text for every salt.
    const salted = (salt: number) => (bytes: number) => zeros(bytes).map((_, at) => (at < 16 ? salt : 0))
    const one = Buffer.from(await seal({ a: 1 }, options, salted(1)), 'base64url')
    const two = Buffer.from(await seal({ a: 1 }, options, salted(2)), 'base64url')
    expect(one.subarray(28)).not.toEqual(two.subarray(28))
  })
})
