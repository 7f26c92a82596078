/** `default_resource` of a client: the resource of a request that names none (RFC 8707 §2). */

import { describe, expect, it } from 'vitest'
import { answer, CLIENT_SECRET, client, payload, redeem, tokens, type World, world } from './support.js'

const secret = { client_secret: CLIENT_SECRET }
const API = 'https://api.example.net'

const start = async (default_resource: string | null, routing: 'single' | 'path' = 'single') =>
  world({
    routing,
    oidc: { resources: { notes: { scopes: ['notes.read'] }, [API]: { scopes: ['read'] } } },
    clients: [
      await client({
        ...secret,
        default_resource,
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      }),
    ],
  })

const granted = async (w: World, changes: Record<string, string> = {}) =>
  (await redeem(w, (await w.browser().code(changes)).code, secret)).body
const machine = (w: World, form: Record<string, string> = {}) =>
  tokens(w, { grant_type: 'client_credentials', client_id: 'app', ...secret, ...form })

describe.each(['single', 'path'] as const)('default_resource (realms by %s)', (routing) => {
  it.each([
    ['its key', 'notes', (issuer: string) => `${issuer}/notes`],
    ['its URI', API, () => API],
  ] as const)('%s: a request without resource is a request for it', async (...[, name, uri]) => {
    const w = await start(name, routing)
    const scope = name === API ? 'openid read' : 'openid notes.read'
    const browser = w.browser()
    const { code } = await browser.code({ scope })
    const { body } = await redeem(w, code, secret)
    expect(payload(body.access_token)).toMatchObject({ aud: uri(w.issuer), scope })
    expect(w.consents.at(-1)?.resources).toEqual([uri(w.issuer)])
    const rows = await w.storage(w.realm).consents.list('alice')
    expect(rows.map(({ resource }) => resource)).toEqual([uri(w.issuer)])
    // The consent covers the next request, whether it names the resource or not.
    expect(answer(await browser.authorize({ scope, resource: uri(w.issuer) }))).toHaveProperty('code')

    const refresh = { grant_type: 'refresh_token', client_id: 'app', ...secret }
    const renewed = await tokens(w, { ...refresh, refresh_token: body.refresh_token })
    expect(payload(renewed.body.access_token).aud).toBe(uri(w.issuer))
    const other = { refresh_token: renewed.body.refresh_token, resource: w.issuer }
    expect((await tokens(w, { ...refresh, ...other })).body.error).toBe('invalid_target')
  })

  it('client_credentials without resource is a request for it', async () => {
    const w = await start('notes', routing)
    const { body } = await machine(w, { scope: 'notes.read' })
    expect(payload(body.access_token)).toMatchObject({ aud: `${w.issuer}/notes`, scope: 'notes.read' })
  })

  it('a named resource counts, also the issuer itself', async () => {
    const w = await start('notes', routing)
    expect(payload((await granted(w, { resource: w.issuer })).access_token).aud).toBe(w.issuer)
    expect(payload((await machine(w, { resource: API })).body.access_token).aud).toBe(API)
  })
})

it('null: a token for the issuer', async () => {
  const w = await start(null)
  expect(payload((await granted(w)).access_token).aud).toBe(w.issuer)
  expect((await machine(w, { scope: 'notes.read' })).body.error).toBe('invalid_scope')
})

it('a default resource that is not configured any more: invalid_target, and no token for the issuer', async () => {
  const w = await start('removed')
  expect(answer(await w.browser().authorize())).toMatchObject({ error: 'invalid_target' })
  expect((await machine(w)).body.error).toBe('invalid_target')
})
