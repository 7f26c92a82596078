/** An account with a link and a passkey: either can be removed while the other one is a way to sign in, and never both. */

import {
  type Credential,
  passkeyCredential,
  registrationResponse,
} from '@ostiary/test-kit/authenticators/authenticator'
import { hiddenField } from '@ostiary/test-kit/browser'
import { factorRecord } from '@ostiary/test-kit/factors/record'
import { gate } from '@ostiary/test-kit/races/gate'
import { describe, expect, it } from 'vitest'
import {
  atAccount,
  browserAt,
  isSignedIn,
  linkCorp,
  type Place,
  type PlaceOptions,
  place,
  refusals,
  signInWithCorp,
  signInWithPassword,
  type TestBrowser,
} from './_place.js'

const SIGNUP = { signup: true }

const newPasskey = (): Credential =>
  passkeyCredential({ algorithm: -7, backup_eligible: true, backed_up: true, counter: 0 })

/** Adds a passkey on the account page. The session has the level 2 then. */
async function addPasskey(b: TestBrowser): Promise<void> {
  const page = await (await atAccount(b, 'enrol', { method: 'passkey' })).text()
  const options = JSON.parse((/data-options="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&quot;', '"'))
  const credential = { ...newPasskey(), user_handle: options.user.id }
  const asked = { challenge: options.challenge, origin: 'https://id.example', rp_id: 'id.example' }
  const response = await b.post('https://id.example/account', {
    csrf_token: hiddenField(page, 'csrf_token'),
    action: 'enrolled',
    method: 'passkey',
    passkey_ticket: hiddenField(page, 'passkey_ticket'),
    passkey: JSON.stringify(registrationResponse(credential, asked)),
  })
  expect([200, 303]).toContain(response.status)
}

/** A user who has signed up with the provider, and has added a passkey. */
async function withBoth(options: PlaceOptions = {}) {
  const p = await place({ settings: {}, ...options, corp: { ...SIGNUP, ...options.corp } })
  const b = browserAt(p)
  await signInWithCorp(p, b)
  await addPasskey(b)
  const sub = (await p.links('default').find(p.corp.issuer, 'ada-1'))?.sub ?? ''
  p.events.length = 0
  return { p, b, sub }
}

const factorsOf = (p: Place, sub: string) => p.factors('default').list(sub)
const kindsOf = async (p: Place, sub: string) => (await factorsOf(p, sub)).map(({ kind }) => kind)

async function removePasskey({ p, b, sub }: { p: Place; b: TestBrowser; sub: string }): Promise<Response> {
  const passkey = (await factorsOf(p, sub)).find(({ kind }) => kind === 'passkey')
  return atAccount(b, 'remove_factor', { factor_id: passkey?.factor_id ?? '' })
}

const unlink = ({ p, b }: { p: Place; b: TestBrowser }): Promise<Response> =>
  atAccount(b, 'unlink', { issuer: p.corp.issuer, subject: 'ada-1' })

describe('the last passkey of an account without a password', () => {
  it('can be removed while a link signs in alone; then the link stays', async () => {
    const { p, b, sub } = await withBoth()
    const html = await (await b.send('https://id.example/account')).text()
    expect(html).not.toContain('With this passkey alone')
    expect((await removePasskey({ p, b, sub })).status).toBe(303)
    expect(await kindsOf(p, sub)).toEqual([])
    expect(isSignedIn(await signInWithCorp(p, browserAt(p)))).toBe(true)
    expect((await unlink({ p, b })).status).toBe(422)
    expect(refusals(p)).toEqual(['last_way_in'])
    expect(await p.links('default').list(sub)).toHaveLength(1)
  })

  it('stays after the link was removed', async () => {
    const { p, b, sub } = await withBoth()
    expect((await unlink({ p, b })).status).toBe(303)
    const response = await removePasskey({ p, b, sub })
    expect([response.status, refusals(p)]).toEqual([422, ['last_way_in']])
    expect(await response.text()).toContain('the only way to sign in')
    expect(await kindsOf(p, sub)).toContain('passkey')
  })

  it('stays where the link is one of a former issuer', async () => {
    const { p, b, sub } = await withBoth()
    const store = p.links('default')
    const [link] = await store.list(sub)
    const user = await p.users('default').find(sub)
    if (!link || !user) throw new Error('no link')
    const { credential_version } = user
    await store.remove(link, { credential_version, now: p.clock.now })
    const former = { ...link, issuer: 'https://former.example' }
    await store.add(former, { credential_version: credential_version + 1, now: p.clock.now })
    expect((await removePasskey({ p, b, sub })).status).toBe(422)
  })

  it("can be removed where the user's own switch for a second step, which it was for, ends with it", async () => {
    const { p, b, sub } = await withBoth()
    const { credential_version = 0 } = (await p.users('default').find(sub)) ?? {}
    await p.factors('default').change({ sub, second_step: true }, { credential_version, now: p.clock.now })
    expect((await removePasskey({ p, b, sub })).status).toBe(303)
    expect(isSignedIn(await signInWithCorp(p, browserAt(p)))).toBe(true)
  })

  it.each([
    ['stays where the provider needs a factor of this server too', false, 422],
    ['can be removed where the account has an app for it', true, 303],
  ] as const)('%s', async (_, has_app, status) => {
    const corp = { require_second_factor: false }
    const { p, b, sub } = await withBoth({ corp })
    if (has_app) {
      const app = factorRecord('app', sub, { data: { secret: 'sealed' } })
      const { credential_version = 0 } = (await p.users('default').find(sub)) ?? {}
      await p
        .factors('default')
        .change({ sub, add: [app], second_step: true }, { credential_version, now: p.clock.now })
    }
    p.own.corp.require_second_factor = true
    expect((await removePasskey({ p, b, sub })).status).toBe(status)
  })
})

describe('a link of an account without a password and a passkey', () => {
  it('stays where another one needs a factor that the account does not have', async () => {
    const p = await place({ corp: SIGNUP, settings: {} })
    const b = browserAt(p)
    await signInWithCorp(p, b)
    const sent = await atAccount(b, 'link', { upstream: 'github' })
    expect((await b.callback('github', p.hub.signIn(sent.headers.get('location') ?? ''))).status).toBe(303)
    p.own.github.require_second_factor = true
    expect((await unlink({ p, b })).status).toBe(422)
    p.own.github.require_second_factor = false
    expect((await unlink({ p, b })).status).toBe(303)
  })
})

describe('the password of an account with one passkey', () => {
  async function withPassword(corp: PlaceOptions['corp'] = {}) {
    const p = await place({ settings: {}, corp })
    const b = browserAt(p)
    await signInWithPassword(b)
    await linkCorp(p, b)
    await addPasskey(b)
    const html = await (await b.send('https://id.example/account')).text()
    const { status } = await atAccount(b, 'remove_password')
    const user = await p.users('default').findByUsername('ada@corp.example')
    return { is_offered: html.includes('remove_password'), status, is_gone: user?.password_hash === null }
  }

  it('can be removed while a link signs in alone', async () => {
    expect(await withPassword()).toEqual({ is_offered: true, status: 303, is_gone: true })
  })

  it('stays where the link needs a factor of this server too', async () => {
    const kept = { is_offered: false, status: 422, is_gone: false }
    expect(await withPassword({ require_second_factor: true })).toEqual(kept)
  })
})

describe('two removals at once', () => {
  /** Holds the write of the first request until the second one is through. */
  function hold<Store, Name extends keyof Store>(store: Store, name: Name) {
    const write = store[name] as (...args: unknown[]) => Promise<boolean>
    const held = gate()
    store[name] = (async (...args: unknown[]) => {
      await held.pass()
      return write(...args)
    }) as Store[Name]
    return held
  }

  it('the passkey waits to be removed while the link is: the passkey stays', async () => {
    const { p, b, sub } = await withBoth()
    const held = hold(p.factors('default'), 'change')
    const first = removePasskey({ p, b, sub })
    await Promise.race([held.reached, first])
    expect((await unlink({ p, b })).status).toBe(303)
    held.open()
    expect((await first).status).toBe(409)
    expect(await kindsOf(p, sub)).toContain('passkey')
    expect(await p.links('default').list(sub)).toEqual([])
    expect(refusals(p)).toEqual(['changed_meanwhile'])
  })

  it('the link waits to be removed while the passkey is: the link stays', async () => {
    const { p, b, sub } = await withBoth()
    const held = hold(p.links('default'), 'remove')
    const first = unlink({ p, b })
    await Promise.race([held.reached, first])
    expect((await removePasskey({ p, b, sub })).status).toBe(303)
    held.open()
    expect((await first).status).toBe(409)
    expect(await kindsOf(p, sub)).toEqual([])
    expect(isSignedIn(await signInWithCorp(p, browserAt(p)))).toBe(true)
    expect(refusals(p)).toEqual(['changed_meanwhile'])
  })
})
