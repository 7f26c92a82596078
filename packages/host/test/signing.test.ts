import { availableParallelism } from 'node:os'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { expect, it, onTestFinished } from 'vitest'
import { createApp, createLog } from '../src/index.ts'
import { signerFor } from '../src/server/signing.ts'
import { configure, FILE, inMemory } from './support.ts'

it('a process without spare cores signs in its own thread; one with spare cores uses WebCrypto', () => {
  const cores = availableParallelism()
  expect(signerFor(cores)).toBeTypeOf('function')
  expect(signerFor(cores + 1)).toBe(signerFor(cores))
  expect(cores === 1 ? undefined : signerFor(cores - 1)).toBeUndefined()
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
