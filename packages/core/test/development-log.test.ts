/** The log for development: one readable line with the remedy for each refusal, without a secret; responses are unchanged. */

import { developmentLog } from '@ostiary/core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { memoryStorage } from '../src/storage/memory/memory-storage.js'
import { CODE_VERIFIER, client, REDIRECT_URI, redeem, tokens, type World, world } from './support.js'

const LOCAL = 'http://localhost:3000'
const CONFIDENTIAL = { client_id: 'service', client_secret: 'the-right-secret-of-the-service' }

const lines: string[] = []
const { warn } = console
beforeEach(() => {
  lines.length = 0
  console.warn = (line: string) => void lines.push(line)
})
afterEach(() => {
  console.warn = warn
})

/** @param issuer Plain http: the log is on by default. */
async function start(issuer = LOCAL, more: object = {}) {
  const clients = [await client(), await client({ ...CONFIDENTIAL, grant_types: ['client_credentials'] })]
  return world({ oidc: { issuer }, clients, on_event: undefined, ...more } as never)
}

it('a wrong verifier', async () => {
  const w = await start()
  const { code } = await w.browser().code()
  const code_verifier = 'x'.repeat(43)
  expect((await redeem(w, code, { code_verifier })).body.error).toBe('invalid_grant')
  expect(lines).toEqual([
    '[ostiary] oidc.token of client "app" refused: invalid_grant, pkce_mismatch. The code_verifier does not match the code_challenge: ' +
      'send the verifier that the challenge was made of, with S256. Sent: code_verifier=(43 characters).',
  ])
  for (const secret of [code, code_verifier, CODE_VERIFIER]) expect(lines.join()).not.toContain(secret)
})

it('a wrong secret', async () => {
  const w = await start()
  const form = {
    grant_type: 'client_credentials',
    client_id: 'service',
    client_secret: 'a-guess-at-the-secret',
  }
  expect((await tokens(w, form)).status).toBe(401)
  expect(lines).toEqual([
    '[ostiary] authentication of client "service" refused: wrong_secret. ' +
      "The client_secret is not the client's: send the one that was shown when the client was created, or give it another one (client rotate-secret). For a client of the configuration, compare the variable of client_secret_env, and restart. A public client sends none. Sent: client_id=service, client_secret=(21 characters).",
  ])
  expect(lines.join()).not.toContain(form.client_secret)
})

it('a wrong method: the one that was used, and those that are registered', async () => {
  const w = await start()
  const authorization = `Basic ${btoa('service:a-guess-at-the-secret')}`
  await tokens(w, { grant_type: 'client_credentials' }, { authorization })
  expect(lines.join()).toMatch(
    / Used: client_secret_basic; registered: client_secret_post\. Sent: client_id=service\.$/,
  )
})

it('a redirect URI that is not registered', async () => {
  const w = await start()
  const query = new URLSearchParams({
    client_id: 'app',
    redirect_uri: `${REDIRECT_URI}/`,
    response_type: 'code',
  })
  const response = await w.provider.fetch(new Request(`${LOCAL}/oauth/authorize?${query}`))
  expect([response.status, response.headers.get('location')]).toEqual([400, null])
  expect(lines).toEqual([
    `[ostiary] oidc.authorize of client "app" refused: invalid_request, unregistered_redirect_uri. The redirect_uri is not in the client's ` +
      'redirect_uris: they are compared character by character. Send a registered one, or add the one that was sent, if the application owns it. ' +
      `It differs from the registered ${REDIRECT_URI} in the last slash. Sent: redirect_uri=${REDIRECT_URI}/.`,
  ])
})

it('a failure has its cause', async () => {
  const w = await start(LOCAL, {
    accounts: { find: () => Promise.reject(new Error('no such table: users')) },
  })
  expect((await w.browser().code()).error).toBe('server_error')
  expect(lines.join('\n')).toContain('failed: Error: no such table: users')
})

it('a key of another secret is one line, with what to do', async () => {
  const storage = memoryStorage()
  const jwks = (w: World) => w.provider.fetch(new Request(`${LOCAL}/.well-known/jwks.json`))
  expect((await jwks(await start(LOCAL, { storage }))).status).toBe(200)
  const other = await start(LOCAL, {
    storage,
    clients: [],
    secret: 'another-secret-of-these-tests-9876543210-x',
  })
  expect((await jwks(other)).status).toBe(500)
  const [{ kid = '' } = {}] = await storage('default').keys.list()
  expect(lines).toEqual([
    `[ostiary] oidc.jwks failed: The signing key ${kid} of realm default cannot be decrypted: it was encrypted with another secret than OIDC_SECRET. ` +
      'Start with that secret as the option secret, or as previous_secret while you change it. ' +
      `If it is lost, withdraw the key: (await provider.manage()).keys.revoke("${kid}") makes a new one, and ends every token that the old one has signed.`,
  ])
  expect(await (await other.provider.manage()).keys.revoke(kid)).toBe(true)
  expect((await jwks(other)).status).toBe(200)
})

it('nothing is printed for what succeeds, with an https issuer, or with a sink', async () => {
  const local = await start()
  expect((await redeem(local, (await local.browser().code()).code)).status).toBe(200)
  expect(lines).toEqual([])
  const form = {
    grant_type: 'client_credentials',
    client_id: 'service',
    client_secret: 'a-guess-at-the-secret',
  }
  const events: unknown[] = []
  for (const w of [
    await start('https://id.example.com'),
    await start(LOCAL, { on_event: (e: unknown) => void events.push(e) }),
  ])
    expect((await tokens(w, form)).status).toBe(401)
  expect([lines, events.length > 0]).toEqual([[], true])
})

it('an event that is no refusal is not printed, also when it has a reason', () => {
  const written: string[] = []
  const log = developmentLog((line) => void written.push(line))
  for (const reason of ['logout', 'expired', 'revoked']) log({ type: 'session.ended', reason })
  log({ type: 'logout.redirect_refused', reason: 'unregistered' })
  log({ type: 'logout.failed', reason: 'timeout' })
  expect(written.map((line) => line.split(':')[0])).toEqual([
    '[ostiary] logout.redirect refused',
    '[ostiary] logout failed',
  ])
})

it('responses are the same with and without it', async () => {
  const form = {
    grant_type: 'client_credentials',
    client_id: 'service',
    client_secret: 'a-guess-at-the-secret',
  }
  const answers = []
  for (const on_event of [undefined, () => {}]) {
    const w = await start(LOCAL, { on_event })
    const { status, headers, body } = await w.post('/oauth/token', form)
    answers.push([status, [...headers], await new Response(body).text()])
  }
  expect(answers[0]).toEqual(answers[1])
})

it('each reason of a refused proof has a remedy', () => {
  const written: string[] = []
  const log = developmentLog((line) => void written.push(line))
  const faults = 'type algorithm key signature id method url expired not_yet_valid access_token replayed'
  const others =
    'several_proofs malformed_proof missing_nonce unknown_nonce missing_proof proof_of_another_key invalid_dpop_jkt'
  const demands = ['client', 'resource', 'profile'].map((name) => `${name}_requires_proof`)
  const reasons = [...faults.split(' ').map((fault) => `proof_${fault}`), ...others.split(' '), ...demands]
  for (const reason of reasons)
    log({ type: 'request.refused', route: 'oidc.token', error: 'invalid_dpop_proof', reason })
  expect(written).toHaveLength(reasons.length)
  expect(written.filter((line) => line.endsWith('The response says more.'))).toEqual([])
})

it('each reason of a mail that was not sent has a remedy', () => {
  const written: string[] = []
  const log = developmentLog((line) => void written.push(line))
  const accounts = 'unknown_user disabled no_verified_email invited changed_meanwhile expired'
  const servers = 'no_realm other_secret mailer auth tls starttls timeout unreachable smtp_550 invalid'
  const reasons = `${accounts} ${servers}`.split(' ')
  for (const reason of reasons) log({ type: 'mail.failed', reason })
  expect(written[0]).toBe(
    '[ostiary] mail failed: unknown_user. No user has this username. A mail for a new password is asked for by username, which may differ from the address.',
  )
  expect(written.filter((line) => line.endsWith('mail test shows why.'))).toHaveLength(8)
  expect(written.filter((line) => line.endsWith('The response says more.'))).toEqual([])
  expect(written).toHaveLength(reasons.length)
})

it('each reason of a sign-in that is too weak or too old has a remedy', () => {
  const written: string[] = []
  const log = developmentLog((line) => void written.push(line))
  const error = 'insufficient_user_authentication'
  for (const reason of ['insufficient_acr', 'authentication_too_old', 'no_user'])
    log({ type: 'bearer.refused', error, reason })
  const unmet = 'unmet_authentication_requirements'
  log({ type: 'authorization.refused', error: unmet, reason: unmet })
  expect(written).toHaveLength(4)
  expect(written.filter((line) => line.endsWith('The response says more.'))).toEqual([])
})

it('writes where it is told to', () => {
  const written: string[] = []
  const log = developmentLog((line) => void written.push(line))
  log({ type: 'bearer.refused', error: 'invalid_token', reason: 'expired' })
  log({ type: 'bearer.refused', error: 'invalid_token', reason: 'a secret in the wrong place\n' })
  log({ type: 'token.revoked', client_id: 'app' })
  expect([written, lines]).toEqual([
    [
      '[ostiary] bearer token refused: invalid_token, expired. The token has expired: refresh it.',
      '[ostiary] bearer token refused: invalid_token. The response says more.',
    ],
    [],
  ])
})
