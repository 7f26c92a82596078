/** What a simulation says about an authorization request, and what it must not do. */

import type { ClientDocument, LoginPrompt, OidcEvent, ProviderOptions } from '@ostiary/core'
import { CODE_CHALLENGE, client, REDIRECT_URI, redeem } from '@ostiary/test-kit/world'
import { expect, it, vi } from 'vitest'
import { type AuthorizationInput, createSimulation, SimulationError } from '../src/index.ts'
import { CORE, place, stateOf, UNLIMITED_MS } from './_place.ts'

const PARAMETERS = {
  redirect_uri: REDIRECT_URI,
  response_type: 'code',
  scope: 'openid',
  code_challenge: CODE_CHALLENGE,
  code_challenge_method: 'S256',
}
const ALICE = { sub: 'alice', level: 1, age: 60 } as const
const request = (
  parameters: Record<string, string> = {},
  user: AuthorizationInput['user'] = ALICE,
): AuthorizationInput => ({ client_id: 'app', parameters: { ...PARAMETERS, ...parameters }, user })

const opened = async (options: Partial<Parameters<typeof place>[0]> = {}) =>
  place({ ...options, clients: options.clients ?? [await client()] })

it('a refusal has the reason and the sentence of its event, and the setting that decides', async () => {
  const { w, simulate } = await opened()
  const said = await simulate(({ authorization }) =>
    authorization('default', request({ redirect_uri: 'https://client.example.com/calback' })),
  )
  expect(said).toEqual({
    result: 'refused',
    reason: 'unregistered_redirect_uri',
    hint: expect.stringContaining('compared character by character'),
    setting: 'client.redirect_uris',
    error: 'invalid_request',
    redirects: false,
    scopes: null,
    user_is_active: true,
  })
  // It is the sentence of the log, with the values to compare.
  await w.browser().authorize({ redirect_uri: 'https://client.example.com/calback' })
  const event = w.events.findLast(({ type }) => type === 'request.refused') as { hint?: string }
  expect(said.hint).toBe(event.hint)
})

it('the session has the level and the age that are given', async () => {
  const { simulate } = await opened({ oidc: { acr: 'require' }, clients: [await client({ trusted: true })] })
  const result = async (parameters: Record<string, string>, level: 1 | 2, age: number) => {
    const input = request(parameters, { sub: 'alice', level, age })
    const { result, reason, setting } = await simulate(({ authorization }) => authorization('default', input))
    return [result, reason, setting]
  }
  expect(await result({ acr_values: '2' }, 1, 0)).toEqual(['login', 'acr', 'oidc.acr'])
  expect(await result({ acr_values: '2' }, 2, 0)).toEqual(['code', null, null])
  expect(await result({ max_age: '60' }, 1, 60)).toEqual(['login', 'max_age', null])
  expect(await result({ max_age: '60' }, 1, 59)).toEqual(['code', null, null])
  expect(await result({}, 1, 100_000_000)).toEqual(['login', 'signed_out', null])
})

it('the rules of the client decide, and are named', async () => {
  const of = async (rules: object, level: 1 | 2, groups: string[]) => {
    const { w, simulate } = await opened({ clients: [await client({ trusted: true, ...rules })] })
    w.accounts.set('alice', { sub: 'alice', claims: {}, attributes: { groups } })
    const input = request({}, { sub: 'alice', level, age: 0 })
    const { result, reason, setting } = await simulate(({ authorization }) => authorization('default', input))
    return [result, reason, setting]
  }
  const STAFF = { allowed_groups: ['staff'] }
  expect(await of(STAFF, 1, ['staff'])).toEqual(['code', null, null])
  expect(await of(STAFF, 1, ['sales'])).toEqual([
    'refused',
    'user_in_no_allowed_group',
    'client.allowed_groups',
  ])
  expect(await of({ required_acr: '2' }, 1, [])).toEqual(['login', 'acr', 'client.required_acr'])
  expect(await of({ required_acr: '2' }, 2, [])).toEqual(['code', null, null])
})

it('a user who is disabled has no session', async () => {
  const { w, simulate } = await opened()
  w.accounts.delete('alice')
  const said = await simulate(({ authorization }) => authorization('default', request()))
  expect(said).toMatchObject({ result: 'login', reason: 'signed_out', user_is_active: false })
})

it('a consent page tells what it asks, and a code what it is for', async () => {
  const { w, simulate } = await opened()
  const ask = () =>
    simulate(({ authorization }) => authorization('default', request({ scope: 'openid email' })))
  expect(await ask()).toMatchObject({ result: 'consent', scopes: ['openid', 'email'] })
  const approved = [{ resource: w.issuer, scopes: ['openid', 'email'] }]
  await w.storage('default').consents.merge({ sub: 'alice', client_id: 'app', approved }, w.clock.now)
  expect(await ask()).toMatchObject({ result: 'code', setting: null, scopes: ['openid', 'email'] })
  await w.storage('default').consents.revoke({ sub: 'alice', client_id: 'app' }, w.clock.now)
  expect(await ask()).toMatchObject({ result: 'consent', setting: 'client.consent_required' })
})

it('a client that registered itself, and was not used yet, gets a code and stays as it is', async () => {
  const registered = await client({ origin: 'registered', trusted: true, expires_at: 1_900_000_000 })
  const { w, simulate } = await opened({ clients: [registered] })
  const said = await simulate(({ authorization }) => authorization('default', request()))
  expect(said).toMatchObject({ result: 'code', reason: null })
  expect(await w.storage('default').clients.find('app')).toEqual(registered)
})

it('a request that was pushed is not used up', async () => {
  const { w, simulate } = await opened({
    oidc: { par: 'required' },
    clients: [await client({ trusted: true })],
  })
  const pushed = await w.post('/oauth/par', { client_id: 'app', ...PARAMETERS })
  const { request_uri } = await pushed.json()
  const input = { client_id: 'app', parameters: { request_uri }, user: ALICE }
  for (let times = 0; times < 2; times += 1)
    expect(await simulate(({ authorization }) => authorization('default', input))).toMatchObject({
      result: 'code',
    })
  const browser = w.browser()
  await browser.get(`${w.issuer}/oauth/authorize?${new URLSearchParams({ client_id: 'app', request_uri })}`)
  const answer = await browser.signIn()
  expect(new URL(answer.headers.get('location') ?? '').searchParams.get('code')).toEqual(expect.any(String))
})

it('a store that is written to is noticed', async () => {
  const { w, sealed, written } = await opened({ clients: [await client({ trusted: true })] })
  const browser = w.browser()
  await browser.authorize()
  await sealed(() => browser.signIn())
  expect(written).toEqual(['sessions.create'])
})

it('no key of the realm signs, and none is decrypted without an id_token_hint', async () => {
  const signer = vi.fn(() => () => 'a signature')
  const opens = vi.fn(async () => [])
  const { w } = await opened({ clients: [await client({ trusted: true })] })
  const storage: ProviderOptions['storage'] = (realm) => ({
    ...w.storage(realm),
    keys: { ...w.storage(realm).keys, list: opens },
  })
  const provider = { ...optionsOf(w), storage, signer }
  const { authorization } = createSimulation({ within_ms: UNLIMITED_MS, core: CORE, provider })
  expect(await authorization('default', request())).toMatchObject({ result: 'code' })
  expect([signer.mock.calls, opens.mock.calls]).toEqual([[], []])
  // A hint is verified, which needs no signer.
  const { code } = await w.browser().code()
  const { id_token } = (await redeem(w, code)).body
  const hinted = createSimulation({
    within_ms: UNLIMITED_MS,
    core: CORE,
    provider: { ...optionsOf(w), signer },
  })
  const input = request({ id_token_hint: id_token })
  expect(await hinted.authorization('default', input)).toMatchObject({ result: 'code' })
  expect(signer.mock.calls).toEqual([])
})

const optionsOf = (w: Awaited<ReturnType<typeof place>>['w']): ProviderOptions => ({
  oidc: { issuer: 'https://id.example.com' },
  secret: 'only-for-tests-only-for-tests-only-for-tests',
  storage: w.storage,
  accounts: { find: async (sub) => w.accounts.get(sub) ?? null },
  interactions: { login: async () => new Response() },
  now: () => w.clock.now,
})

it('what it seals opens on no server, and its code is none', async () => {
  const { w } = await opened({ clients: [await client({ trusted: true })] })
  const prompts: LoginPrompt[] = []
  const answers: Response[] = []
  const createProvider: typeof CORE.createProvider = (options) => {
    const login = (prompt: LoginPrompt) => {
      prompts.push(prompt)
      return options.interactions.login(prompt)
    }
    const provider = CORE.createProvider({ ...options, interactions: { ...options.interactions, login } })
    const fetch: typeof provider.fetch = async (...sent) => {
      const answer = await provider.fetch(...sent)
      answers.push(answer)
      return answer
    }
    return { ...provider, fetch }
  }
  const simulation = createSimulation({
    within_ms: UNLIMITED_MS,
    core: { ...CORE, createProvider },
    provider: optionsOf(w),
  })
  const told = [
    await simulation.authorization('default', request({}, null)),
    await simulation.authorization('default', request()),
  ]
  expect(told.map(({ result }) => result)).toEqual(['login', 'code'])
  const return_to = prompts[0]?.return_to ?? ''
  expect(return_to).toMatch(/^sealed\./)
  expect(await w.provider.loginPrompt(new Request(`${w.issuer}/login`), return_to)).toBeNull()
  const code = new URL(answers.at(-1)?.headers.get('location') ?? '').searchParams.get('code') ?? ''
  expect(code).not.toBe('')
  expect((await redeem(w, code)).body.error).toBe('invalid_grant')
  for (const secret of [return_to, code]) expect(JSON.stringify(told)).not.toContain(secret)
})

it('a user is looked up without the session, which no database has', async () => {
  const { w } = await opened()
  const find = vi.fn(async (sub: string) => ({ sub, claims: {} }))
  const simulation = createSimulation({
    within_ms: UNLIMITED_MS,
    core: CORE,
    provider: { ...optionsOf(w), accounts: { find } },
  })
  await simulation.authorization('default', request())
  expect(find.mock.calls.map((given) => given.length)).toEqual([2, 2])
})

it('a failure of the storage is thrown, and not reported', async () => {
  const { w } = await opened()
  const events: OidcEvent[] = []
  const storage: ProviderOptions['storage'] = (realm) => ({
    ...w.storage(realm),
    consents: { ...w.storage(realm).consents, list: () => Promise.reject(new Error('no connection')) },
  })
  const provider = { ...optionsOf(w), storage, on_event: (event: OidcEvent) => void events.push(event) }
  const { authorization } = createSimulation({ within_ms: UNLIMITED_MS, core: CORE, provider })
  await expect(authorization('default', request())).rejects.toThrow('no connection')
  expect(events).toEqual([])
})

const DOCUMENT_URL = 'https://app.example.com/client.json'
const document = (w: { clock: { now: number } }, changes: Partial<ClientDocument> = {}): ClientDocument => ({
  client_id: DOCUMENT_URL,
  document: JSON.stringify({
    client_id: DOCUMENT_URL,
    client_name: 'App',
    redirect_uris: ['https://app.example.com/cb'],
    token_endpoint_auth_method: 'none',
  }),
  etag: null,
  last_modified: null,
  fetched_at: w.clock.now - 1000,
  fresh_until: w.clock.now - 500,
  changed_at: w.clock.now - 1000,
  expires_at: w.clock.now + 1000,
  ...changes,
})

it('a metadata document counts as it is stored, and is not fetched', async () => {
  const fetch_document = vi.fn(async () => {
    throw new Error('A document is fetched')
  })
  const oidc = { clients: { metadata_documents: { enabled: true } } }
  const { w, simulate } = await opened({ oidc, fetch_document, options: { fetch_document } })
  const input = {
    client_id: DOCUMENT_URL,
    parameters: { ...PARAMETERS, redirect_uri: 'https://app.example.com/cb' },
    user: ALICE,
  }
  const ask = () => simulate(({ authorization }) => authorization('default', input))
  await expect(ask()).rejects.toThrow(SimulationError)
  await expect(ask()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('stored') })
  await w.storage('default').client_documents.put(document(w))
  const before = await stateOf(w, ['alice'])
  expect(await ask()).toMatchObject({ result: 'consent', scopes: ['openid'] })
  expect(await stateOf(w, ['alice'])).toEqual(before)
  expect(fetch_document).not.toHaveBeenCalled()
})

it('a client whose document is on a host that is not allowed is refused', async () => {
  const oidc = {
    clients: { metadata_documents: { enabled: true, allowed_hosts: ['other.example.com'] } },
  }
  const { simulate } = await opened({ oidc, fetch_document: async () => Promise.reject(new Error('none')) })
  const input = { client_id: DOCUMENT_URL, parameters: PARAMETERS, user: null }
  expect(await simulate(({ authorization }) => authorization('default', input))).toMatchObject({
    result: 'refused',
    reason: 'document_host_not_allowed',
    setting: 'oidc.clients.metadata_documents.allowed_hosts',
  })
})

it('realms that a function looks up are simulated too', async () => {
  const { w } = await opened()
  const provider: ProviderOptions = {
    ...optionsOf(w),
    oidc: { issuer: 'https://id.example.com', routes: { realms: 'path' } },
    realms: async (id) => (id === 'late' ? { par: 'required' } : null),
  }
  const { authorization } = createSimulation({ within_ms: UNLIMITED_MS, core: CORE, provider })
  await w.storage('late').clients.create(await client())
  expect(await authorization('late', request())).toMatchObject({
    reason: 'push_required',
    setting: 'oidc.par',
  })
})
