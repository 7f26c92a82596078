import { expect, it } from 'vitest'
import { runtimeHashes } from '../src/server/hashing.ts'

const utf8 = new TextEncoder()
const base64url = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url')

// The last one is not well formed: half of a surrogate pair.
it.each(['', 'a', 'x'.repeat(55), 'x'.repeat(64), 'x'.repeat(5000), 'é🔑', 'a\ud800b'])(
  'the hashes of %j are those of WebCrypto',
  async (text) => {
    expect(runtimeHashes.sha256(text)).toBe(
      base64url(await crypto.subtle.digest('SHA-256', utf8.encode(text))),
    )
    const bytes = crypto.getRandomValues(new Uint8Array(32))
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
    const mac = await crypto.subtle.sign('HMAC', key, utf8.encode(text))
    expect(runtimeHashes.hmac(bytes, text)).toBe(base64url(mac))
  },
)
