import { availableParallelism } from 'node:os'
import { base64url, compactVerify, createLocalJWKSet, generateKeyPair, jwtVerify } from 'jose'
import { expect, it, onTestFinished } from 'vitest'
import { createApp, createLog } from '../src/index.ts'
import { signerFor } from '../src/server/signing.ts'
import { configure, FILE, inMemory } from './support.ts'

const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const

it.each(ALGORITHMS)(
  '%s: the signature is the one of RFC 7518 and RFC 8037, as jose verifies it',
  async (alg) => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
    const sign = signerFor(availableParallelism())(await crypto.subtle.exportKey('pkcs8', privateKey), alg)
    const input = `${base64url.encode(JSON.stringify({ alg }))}.${base64url.encode('{"sub":"alice"}')}`
    const verified = await compactVerify(`${input}.${await sign?.(input)}`, publicKey, { algorithms: [alg] })
    expect(new TextDecoder().decode(verified.payload)).toBe('{"sub":"alice"}')
  },
)

it('a process without spare cores signs in its own thread; with spare cores, WebCrypto makes RSA signatures', async () => {
  const cores = availableParallelism()
  for (const alg of ALGORITHMS) {
    const { privateKey } = await generateKeyPair(alg, { extractable: true })
    const pkcs8 = await crypto.subtle.exportKey('pkcs8', privateKey)
    const signs = (workers: number) => signerFor(workers)(pkcs8, alg) !== undefined
    expect([alg, signs(cores), signs(cores + 1)]).toEqual([alg, true, true])
    const is_rsa = alg === 'RS256' || alg === 'PS256'
    if (cores > 1) expect([alg, signs(cores - 1)]).toEqual([alg, !is_rsa])
  }
})

it('the published key verifies the signatures of both signers', async () => {
  for (const workers of [1, availableParallelism() + 1]) {
    const config = await configure({
      ...FILE,
      clients: [{ client_id: 'worker', client_secret: 'w'.repeat(43), grant_types: ['client_credentials'] }],
    })
    const { server } = config
    const options = { log: createLog({ write: () => {} }), storage: inMemory() }
    const app = await createApp({ ...config, server: { ...server, workers } }, options)
    onTestFinished(() => app.stop())
    await app.start()
    const get = (path: string) => app.fetch(new Request(config.issuer + path)).then((answer) => answer.json())
    const form = { grant_type: 'client_credentials', client_id: 'worker', client_secret: 'w'.repeat(43) }
    const body = new URLSearchParams(form)
    const answer = await app.fetch(new Request(`${config.issuer}/oauth/token`, { method: 'POST', body }))
    const { access_token } = (await answer.json()) as { access_token: string }
    const keys = createLocalJWKSet((await get('/.well-known/jwks.json')) as never)
    expect((await jwtVerify(access_token, keys)).payload.client_id).toBe('worker')
  }
})
