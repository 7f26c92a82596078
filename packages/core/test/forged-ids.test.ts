/** The session of another person in a hint, and the grant of another person in a `jti`: no client can make such a token. */

import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Forge, forged } from './bad-tokens.js'
import { exchange, type Granted, granted, peopleWorld, refresh, SECRET, watchedPeople } from './people.js'
import { bearer, header, payload, tokens, type World } from './support.js'

const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

type Claims = Record<string, unknown>

/** Makes a token with other claims from one that its owner has. */
type Forgery = (own: string, claims: Claims) => string

const bySomebody =
  (head: Claims): Forgery =>
  (own, claims) =>
    forged({ own: { access_token: own }, key: stranger } as Forge, claims, head)

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const FORGERIES: [string, Forgery][] = [
  ["under a stranger's key", bySomebody({ kid: 'stranger' })],
  ["signed by a stranger under the realm's kid", bySomebody({})],
  [
    'under the signature of another',
    (own, claims) => {
      const [head, , signature] = own.split('.')
      return `${head}.${part({ ...payload(own), ...claims })}.${signature}`
    },
  ],
  [
    'without a signature',
    (own, claims) => `${part({ ...header(own), alg: 'none' })}.${part({ ...payload(own), ...claims })}.`,
  ],
]

async function twoPeople() {
  const { storage, calls } = watchedPeople()
  const w = await peopleWorld({ storage })
  const [alice, bob] = [await granted(w, 'alice'), await granted(w, 'bob')]
  const { sid } = payload(alice.body.id_token)
  const { jti } = payload(alice.body.access_token)
  calls.length = 0
  return { w, alice, bob, sid, jti, calls }
}

async function expectUnharmed(w: World, { browser, body }: Granted): Promise<void> {
  expect((await browser.authorize({ prompt: 'none', scope: 'openid' })).headers.get('location')).toContain(
    'code=',
  )
  expect((await refresh(w, body.refresh_token)).status).toBe(200)
}

const signOut = (w: World, browser: Granted['browser'], id_token_hint: string) =>
  browser.get(`${w.issuer}/oauth/logout?${new URLSearchParams({ id_token_hint })}`)

describe.each(FORGERIES)('an id of another person in a token %s', (_, forge) => {
  it.each([
    ['with her name', { sub: 'alice' }],
    ['with the own name', {}],
  ])('the session in a hint, %s: no session and no grant is looked at', async (_, claims) => {
    const { w, alice, bob, sid, calls } = await twoPeople()
    await signOut(w, w.browser(), forge(bob.body.id_token, { ...claims, sid }))
    expect(calls).toEqual([])
    await signOut(w, bob.browser, forge(bob.body.id_token, { ...claims, sid }))
    expect(new Set(calls.map(({ name }) => name))).toEqual(new Set(['sessions.find']))
    await expectUnharmed(w, alice)
  })

  it('the grant in a jti: no grant is looked at, wherever the token is presented', async () => {
    const { w, alice, bob, jti, calls } = await twoPeople()
    const token = forge(bob.body.access_token, { jti })
    const form = { client_id: 'app', ...SECRET, token }
    expect(await (await w.post('/oauth/introspect', form)).json()).toEqual({ active: false })
    expect((await w.post('/oauth/revoke', form)).status).toBe(200)
    expect((await exchange(w, token)).body.error).toBe('invalid_grant')
    const request = new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(token) })
    expect((await w.provider.fetch(request)).status).toBe(401)
    expect(calls).toEqual([])
    await expectUnharmed(w, alice)
  })
})

it('the token of a client names no grant, and is revoked alone', async () => {
  const { w, alice, calls } = await twoPeople()
  const form = { client_id: 'app', ...SECRET }
  const { access_token: token } = (await tokens(w, { grant_type: 'client_credentials', ...form })).body
  await w.post('/oauth/revoke', { ...form, token })
  const { jti } = payload(token)
  expect(jti).toMatch(/^[A-Za-z0-9_-]{22}$/)
  expect(calls.map(({ name, args: [id] }) => [name, id])).toEqual([['revoked_tokens.add', jti]])
  await expectUnharmed(w, alice)
})
