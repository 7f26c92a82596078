/** `default_resource` of a client or of the realm: the resource of a request that names none (RFC 8707 §2). */

import { describe, expect, it } from 'vitest'
import { parseConfig } from '../src/config/parse.js'
import { createRealm } from '../src/realm/create-realm.js'
import { answer, CLIENT_SECRET, client, payload, redeem, tokens, type World, world } from './support.js'

const secret = { client_secret: CLIENT_SECRET }
const API = 'https://api.example.net'
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

const start = async (
  default_resource: string | null,
  routing: 'single' | 'path' = 'single',
  clients: { default_resource?: string; token_exchange?: boolean } = {},
) =>
  world({
    routing,
    oidc: { resources: { notes: { scopes: ['notes.read'] }, [API]: { scopes: ['read'] } }, clients },
    clients: [
      await client({
        ...secret,
        default_resource,
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials', EXCHANGE],
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

describe.each(['single', 'path'] as const)('oidc.clients.default_resource (realms by %s)', (routing) => {
  it.each([
    ['its key', 'notes', (issuer: string) => `${issuer}/notes`],
    ['its URI', API, () => API],
  ] as const)('%s: requests without resource are requests for it', async (...[, name, uri]) => {
    const w = await start(null, routing, { default_resource: name })
    const scope = name === API ? 'openid read' : 'openid notes.read'
    expect(payload((await granted(w, { scope })).access_token)).toMatchObject({ aud: uri(w.issuer), scope })
    expect(payload((await machine(w)).body.access_token).aud).toBe(uri(w.issuer))
  })

  it('default_resource of the client wins', async () => {
    const w = await start('notes', routing, { default_resource: API })
    expect(payload((await granted(w)).access_token).aud).toBe(`${w.issuer}/notes`)
    expect(payload((await machine(w)).body.access_token).aud).toBe(`${w.issuer}/notes`)
  })

  it('a named resource counts, also the issuer itself', async () => {
    const w = await start(null, routing, { default_resource: 'notes' })
    expect(payload((await granted(w, { resource: w.issuer })).access_token).aud).toBe(w.issuer)
    expect(payload((await machine(w, { resource: API })).body.access_token).aud).toBe(API)
  })

  it('is no target of a token exchange', async () => {
    const w = await start(null, routing, { default_resource: 'notes', token_exchange: true })
    const subject = (await machine(w)).body.access_token
    const exchange = {
      grant_type: EXCHANGE,
      subject_token: subject,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    }
    expect((await machine(w, exchange)).body).toMatchObject({
      error: 'invalid_request',
      error_description:
        'The parameter audience or resource is missing, and this client has no default_resource',
    })
  })
})

describe.each(['single', 'path'] as const)(
  'a scope whose resource is not named (realms by %s)',
  (routing) => {
    it('is refused with the resource that owns it, for the client and in the log', async () => {
      const w = await start(null, routing)
      const owner = `${w.issuer}/notes`
      const advice = `The scope notes.read belongs to ${owner}: send resource=${owner}, or set default_resource of this client`
      const refused = { error: 'invalid_scope', error_description: advice }
      expect(answer(await w.browser().authorize({ scope: 'openid notes.read' }))).toMatchObject(refused)
      const event = { reason: 'scope_of_resource', hint: `${advice}.` }
      expect(w.events.at(-1)).toMatchObject({ ...event, sent: 'scope=openid notes.read' })
      expect((await machine(w, { scope: 'notes.read', resource: API })).body).toEqual(refused)
      expect(w.events.at(-1)).toMatchObject({ ...event, sent: `scope=notes.read, resource=${API}` })
    })

    it('of no resource is refused with its name, in the log too unless it looks like a secret', async () => {
      const w = await start(null, routing)
      await w.browser().authorize({ scope: 'openid notes.raed' })
      expect(w.events.at(-1)).toMatchObject({ hint: expect.stringMatching(/ It is notes\.raed\.$/) })
      const secret = 'zq7x4k9m2v8w1t5b3n6c0j7h4d2f'
      await w.browser().authorize({ scope: `openid ${secret}` })
      expect(w.events.at(-1)).toMatchObject({
        hint: expect.stringMatching(/ It is \(28 characters, not shown/),
      })
      expect(JSON.stringify(w.events)).not.toContain(secret)
    })
  },
)

it('oidc.clients.default_resource that no resource has is a configuration error', () => {
  const { settings } = parseConfig({
    issuer: 'https://id.example.com',
    resources: { notes: {} },
    clients: { default_resource: 'note' },
  })
  expect(() => createRealm('default', settings)).toThrow(
    'oidc.clients.default_resource: there is no resource "note" in oidc.resources',
  )
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
