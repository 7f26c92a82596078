import { describe, expect, it } from 'vitest'
import { systemRandom } from '../util/secret.js'
import { createSigningKey, openSigningKey } from './keys.js'

describe('openSigningKey', () => {
  it('gives a private key that signs and cannot be exported', async () => {
    const seal = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ])
    const key = await createSigningKey({
      realm: 'default',
      alg: 'RS256',
      seal,
      random: systemRandom,
      now: () => 1,
      publish_before: 0,
    })
    const { private_key, sign } = await openSigningKey(key, { realm: 'default', seals: [seal] })
    expect(await sign('header.claims')).toMatch(/^[\w-]{342}$/)
    await expect(crypto.subtle.exportKey('pkcs8', private_key)).rejects.toThrow(/extractable/)
    await expect(crypto.subtle.exportKey('jwk', private_key)).rejects.toThrow(/extractable/)
  })
})
