import { hiddenField } from '@ostiary/test-kit/browser'
import { describe, expect, it } from 'vitest'
import {
  atAccount,
  browserAt,
  isSignedIn,
  linkCorp,
  type Place,
  place,
  refusals,
  signInWithCorp,
  signInWithPassword,
} from './_place.js'

const SIGNUP = { signup: true }
const ADA = 'ada@corp.example'
const adaOf = async (p: Place) => {
  const user = await p.users('default').findByUsername(ADA)
  if (!user) throw new Error('no user')
  return user
}
/** Of the linked account only. */
async function placeWithLink(options: Parameters<typeof place>[0] = {}) {
  const p = await place(options)
  const b = browserAt(p)
  await signInWithPassword(b)
  await linkCorp(p, b)
  p.events.length = 0
  return { p, b }
}

describe('the round trip', () => {
  it('a code and a state that are injected into another browser sign in no one', async () => {
    const { p } = await placeWithLink()
    const attacker = browserAt(p)
    const params = p.corp.signIn((await attacker.start('corp')).location)
    const victim = browserAt(p)
    expect((await victim.callback('corp', params)).status).toBe(403)
    // With a round trip of its own, too.
    await victim.start('corp')
    expect((await victim.callback('corp', params)).status).toBe(403)
    expect(refusals(p)).toEqual(['upstream_state_unknown', 'upstream_state_unknown'])
    expect(p.events[0]).toMatchObject({ upstream: 'corp', hint: expect.stringContaining('another browser') })
    expect(isSignedIn(await attacker.callback('corp', params))).toBe(true)
  })

  it('the code of another account, with the state of this browser, is refused: PKCE', async () => {
    const { p } = await placeWithLink()
    const foreign = p.corp.signIn((await browserAt(p).start('corp')).location)
    const victim = browserAt(p)
    const own = p.corp.signIn((await victim.start('corp')).location)
    own.set('code', foreign.get('code') ?? '')
    expect(isSignedIn(await victim.callback('corp', own))).toBe(false)
    expect(refusals(p)).toEqual(['upstream_error_response'])
  })

  it('the answer of one provider at the path of another one is refused: mix-up', async () => {
    const { p } = await placeWithLink()
    const b = browserAt(p)
    const params = p.corp.signIn((await b.start('corp')).location)
    expect((await b.callback('evil', params)).status).toBe(403)
    expect(refusals(p)).toEqual(['upstream_state_unknown'])
    expect(p.evil.requests).toEqual([])
    // A hostile provider passes the browser on to the honest one, whose answer then comes under its name.
    const victim = browserAt(p)
    const { location } = await victim.start('evil')
    const mixed = p.corp.signIn(location)
    expect(isSignedIn(await victim.callback('corp', mixed))).toBe(false)
    expect(isSignedIn(await victim.callback('evil', mixed))).toBe(false)
    expect(p.corp.requests.filter((one) => one === 'POST /token')).toHaveLength(1)
  })

  it('an answer counts once: of 50 at the same time one signs in', async () => {
    const { p } = await placeWithLink()
    const b = browserAt(p)
    const params = p.corp.signIn((await b.start('corp')).location)
    const cookie = [...b.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const send = () =>
      p.send(new Request(`https://id.example/login/callback/corp?${params}`, { headers: { cookie } }))
    const answers = await Promise.all(Array.from({ length: 50 }, send))
    expect(answers.filter(isSignedIn)).toHaveLength(1)
    expect(isSignedIn(await send())).toBe(false)
    expect(p.corp.requests.filter((one) => one === 'POST /token')).toHaveLength(2)
  })

  it('50 sign-ups of one account at the same time make one user', async () => {
    const p = await place({ corp: SIGNUP })
    const browsers = Array.from({ length: 50 }, () => browserAt(p))
    const trips = await Promise.all(
      browsers.map(async (b) => p.corp.signIn((await b.start('corp')).location)),
    )
    const answers = await Promise.all(
      browsers.map((b, index) => b.callback('corp', trips[index] ?? new URLSearchParams())),
    )
    expect(answers.filter(isSignedIn).length).toBeGreaterThan(0)
    expect(await p.users('default').list({ limit: 99 })).toHaveLength(2)
  })

  it('is over after ten minutes, and not before', async () => {
    const { p } = await placeWithLink()
    for (const [seconds, expected] of [
      [599, true],
      [600, false],
    ] as const) {
      const b = browserAt(p)
      const { location } = await b.start('corp')
      const before = p.clock.now
      // The token is of the end of the round trip.
      p.clock.now += seconds
      p.corp.breaks = { claims: { iat: p.clock.now, exp: p.clock.now + 300 } }
      expect(isSignedIn(await b.callback('corp', p.corp.signIn(location)))).toBe(expected)
      p.clock.now = before
    }
  })

  it.each<[string, (cookies: Map<string, string>) => void]>([
    ['without its cookies', (cookies) => cookies.clear()],
    ['with a cookie that was changed', (cookies) => change(cookies, '__Host-ostiary_upstream')],
    ['with another request to go on with', (cookies) => change(cookies, '__Host-ostiary_upstream_to')],
  ])('%s it is unknown', async (_, spoil) => {
    const { p } = await placeWithLink()
    const b = browserAt(p)
    const params = p.corp.signIn((await b.start('corp')).location)
    spoil(b.cookies)
    expect(isSignedIn(await b.callback('corp', params))).toBe(false)
    expect(refusals(p)).toEqual(['upstream_state_unknown'])
  })

  it('is of its realm: that of another one is unknown there, and so are its links', async () => {
    const p = await place({ realms: ['one', 'two'] })
    const b = browserAt(p, { realm: 'one' })
    await signInWithPassword(b)
    await linkCorp(p, b)
    const params = p.corp.signIn((await browserAt(p, { realm: 'one' }).start('corp')).location)
    const neighbor = browserAt(p, { realm: 'two' })
    expect((await neighbor.callback('corp', params)).status).toBe(404)
    expect((await neighbor.openLogin()).html).not.toContain('upstream')
    expect(await p.links('two').find(p.corp.issuer, 'ada-1')).toBeNull()
  })

  it('begins with the form of the page alone: no GET, no other site, no token of another request', async () => {
    const p = await place()
    const b = browserAt(p)
    const { fields } = await b.openLogin()
    const url = 'https://id.example/login/upstream/corp'
    expect((await b.send(url)).status).toBe(405)
    expect((await b.post(url, { ...fields, csrf_token: 'x' })).status).toBe(403)
    expect((await browserAt(p).post(url, fields)).status).toBe(403)
    expect((await b.post(url, { ...fields, return_to: 'https://evil.example' })).status).toBe(400)
    expect((await b.post('https://id.example/login/upstream/other', fields)).status).toBe(404)
    expect((await b.post('https://id.example/login/upstream/constructor', fields)).status).toBe(404)
    expect(p.corp.requests).toEqual([])
  })

  it('an address may bring 100 answers in a quarter of an hour: then the provider gets none', async () => {
    const p = await place()
    const answer = async (address: string) => {
      const b = browserAt(p, { address })
      const params = p.corp.signIn((await b.start('corp')).location)
      params.set('code', 'x')
      return (await b.callback('corp', params)).status
    }
    for (let i = 0; i < 100; i++) expect(await answer('203.0.113.7')).toBe(403)
    expect(await answer('203.0.113.7')).toBe(429)
    expect(await answer('203.0.113.8')).toBe(403)
    expect(p.corp.requests.filter((one) => one === 'POST /token')).toHaveLength(101)
  })

  it('a page view, a button and an answer of a stranger store nothing but counters', async () => {
    const p = await place()
    for (let i = 0; i < 3; i++) await signInWithCorp(p, browserAt(p))
    expect(await p.users('default').list({ limit: 9 })).toHaveLength(1)
    expect(await p.links('default').find(p.corp.issuer, 'ada-1')).toBeNull()
  })
})

function change(cookies: Map<string, string>, name: string): void {
  const value = cookies.get(name) ?? ''
  cookies.set(name, `${value.slice(0, -8)}AAAAAAA${value.endsWith('A') ? 'B' : 'A'}`)
}

describe('accounts that were taken before: pre-hijacking', () => {
  const MERGE = { link: 'verified_email', authoritative_domains: ['corp.example'] } as const
  const verify = async (p: Place, email_verified: boolean) => {
    const user = await adaOf(p)
    const changed = { ...user, claims: { email: ADA, email_verified }, updated_at: user.updated_at + 1 }
    await p.users('default').update(changed, user.updated_at)
  }

  it('an address that was verified here and there is linked, where the provider hands it out', async () => {
    const p = await place({ corp: MERGE })
    await verify(p, true)
    expect(isSignedIn(await signInWithCorp(p, browserAt(p)))).toBe(true)
    expect((await p.links('default').find(p.corp.issuer, 'ada-1'))?.sub).toBe((await adaOf(p)).sub)
  })

  it('classic federated merge: an account with the address that was not verified here is never linked', async () => {
    const p = await place({ corp: { ...MERGE, ...SIGNUP } })
    await verify(p, false)
    expect(isSignedIn(await signInWithCorp(p, browserAt(p)))).toBe(true)
    const link = await p.links('default').find(p.corp.issuer, 'ada-1')
    const planted = await adaOf(p)
    expect(link?.sub).not.toBe(planted.sub)
    expect(planted.claims.email_verified).toBe(false)
    // The attacker's password is of the planted account alone.
    expect((await p.users('default').find(link?.sub ?? ''))?.password_hash).toBeNull()
  })

  it('non-verifying provider: an address that it has not verified, or that another one hands out, is not linked', async () => {
    const p = await place({ corp: MERGE })
    await verify(p, true)
    p.corp.breaks = { claims: { email_verified: false } }
    expect(isSignedIn(await signInWithCorp(p, browserAt(p)))).toBe(false)
    p.evil.person = { sub: 'eve', email: ADA, email_verified: true }
    const b = browserAt(p)
    expect(isSignedIn(await b.callback('evil', p.evil.signIn((await b.start('evil')).location)))).toBe(false)
    const other = await place({ corp: { ...MERGE, authoritative_domains: ['other.example'] } })
    await verify(other, true)
    expect(isSignedIn(await signInWithCorp(other, browserAt(other)))).toBe(false)
    const signed_in = await place({ corp: { ...SIGNUP, authoritative_domains: ['corp.example'] } })
    await verify(signed_in, true)
    await signInWithCorp(signed_in, browserAt(signed_in))
    expect(await signed_in.links('default').list((await adaOf(signed_in)).sub)).toEqual([])
  })

  it('trojan identifier: a link of the attacker opens the account of the attacker alone', async () => {
    const { p, b } = await placeWithLink()
    const before = await adaOf(p)
    // The victim's account elsewhere is another one, with the same address.
    p.corp.person = { sub: 'victim', email: ADA, email_verified: true }
    expect(isSignedIn(await signInWithCorp(p, browserAt(p)))).toBe(false)
    expect((await linkCorp(p, b)).status).toBe(303)
    expect(await p.links('default').list(before.sub)).toHaveLength(2)
  })

  it('unexpired session and change of address: an account that changes while it is linked gets no link', async () => {
    const p = await place()
    const b = browserAt(p)
    await signInWithPassword(b)
    const sent = await atAccount(b, 'link', { upstream: 'corp' })
    const user = await adaOf(p)
    const credential_version = user.credential_version + 1
    await p
      .users('default')
      .update({ ...user, credential_version, updated_at: user.updated_at + 1 }, user.updated_at)
    const response = await b.callback('corp', p.corp.signIn(sent.headers.get('location') ?? ''))
    expect([response.status, refusals(p)]).toEqual([403, ['upstream_changed_meanwhile']])
    expect(await p.links('default').list(user.sub)).toEqual([])
  })
})

describe('links', () => {
  it('the answer of another session, and of another user, adds none', async () => {
    const p = await place()
    const attacker = browserAt(p)
    await signInWithPassword(attacker)
    const sent = await atAccount(attacker, 'link', { upstream: 'corp' })
    const params = p.corp.signIn(sent.headers.get('location') ?? '')
    const victim = browserAt(p)
    await signInWithPassword(victim)
    // With the cookie of the round trip as well, as from a subdomain of the attacker.
    for (const [name, value] of attacker.cookies)
      if (name.includes('upstream')) victim.cookies.set(name, value)
    expect((await victim.callback('corp', params)).status).toBe(403)
    expect(refusals(p)).toEqual(['upstream_state_unknown'])
    expect(await p.links('default').list((await adaOf(p)).sub)).toEqual([])
  })

  it('an account elsewhere is of one user', async () => {
    const { p } = await placeWithLink({ corp: SIGNUP })
    p.corp.person = { sub: 'eve' }
    const eve = browserAt(p)
    expect(isSignedIn(await signInWithCorp(p, eve))).toBe(true)
    p.corp.person = { sub: 'ada-1' }
    const response = await linkCorp(p, eve)
    expect([response.status, refusals(p)]).toEqual([403, ['upstream_linked_elsewhere']])
  })

  it('an old sign-in adds and removes none: the page asks for a proof first', async () => {
    for (const settings of [undefined, {}, { second_factor: 'optional' } as const]) {
      const { p, b } = await placeWithLink(settings && { settings })
      p.clock.now += 300
      const [link] = await p.links('default').list((await adaOf(p)).sub)
      const fields = { issuer: link?.issuer ?? '', subject: link?.subject ?? '' }
      for (const [action, more] of [
        ['link', { upstream: 'github' }],
        ['unlink', fields],
      ] as const) {
        const response = await atAccount(b, action, more)
        expect([200, 403]).toContain(response.status)
        expect(response.headers.get('location')).toBeNull()
      }
      expect(await p.links('default').list(link?.sub ?? '')).toHaveLength(1)
    }
  })

  it('a user without another proof gives one at the provider: of the same account there', async () => {
    const p = await place({ corp: SIGNUP, settings: {} })
    const b = browserAt(p)
    await signInWithCorp(p, b)
    p.clock.now += 300
    const asked = await (await atAccount(b, 'link', { upstream: 'github' })).text()
    expect(asked).toContain('value="confirm_upstream"')
    const confirm = () => atAccount(b, 'confirm_upstream', { upstream: 'corp' })
    p.corp.breaks = { claims: { iat: p.clock.now, exp: p.clock.now + 300 } }
    p.corp.person = { sub: 'eve' }
    const other = await b.callback('corp', p.corp.signIn((await confirm()).headers.get('location') ?? ''))
    expect([other.status, refusals(p)]).toEqual([403, ['upstream_other_account']])
    p.corp.person = { sub: 'ada-1' }
    const same = await b.callback('corp', p.corp.signIn((await confirm()).headers.get('location') ?? ''))
    expect([same.status, same.headers.get('location')]).toEqual([303, 'https://id.example/account'])
    const linked = await atAccount(b, 'link', { upstream: 'github' })
    expect(linked.headers.get('location')).toMatch(/^https:\/\/github\.com\//)
  })

  it('the last way to sign in stays', async () => {
    const p = await place({ corp: SIGNUP })
    const b = browserAt(p)
    await signInWithCorp(p, b)
    const link = await p.links('default').find(p.corp.issuer, 'ada-1')
    const response = await atAccount(b, 'unlink', { issuer: p.corp.issuer, subject: 'ada-1' })
    expect([response.status, refusals(p)]).toEqual([422, ['last_way_in']])
    expect(await p.links('default').list(link?.sub ?? '')).toEqual([link])
  })

  it('a link of a former issuer of the provider is no way to sign in, and another one can be added', async () => {
    const p = await place({ corp: SIGNUP })
    const b = browserAt(p)
    await signInWithCorp(p, b)
    const store = p.links('default')
    const link = await store.find(p.corp.issuer, 'ada-1')
    const user = await p.users('default').find(link?.sub ?? '')
    if (link === null || user === null) throw new Error('no link')
    const former = { ...link, issuer: 'https://former.example' }
    expect(await store.add(former, { credential_version: user.credential_version, now: p.clock.now })).toBe(
      true,
    )
    const response = await atAccount(b, 'unlink', { issuer: p.corp.issuer, subject: 'ada-1' })
    expect([response.status, refusals(p)]).toEqual([422, ['last_way_in']])
    expect((await atAccount(b, 'unlink', { issuer: former.issuer, subject: 'ada-1' })).status).toBe(303)
    expect(await store.list(user.sub)).toMatchObject([{ issuer: p.corp.issuer }])
  })

  it('a form of another session, or without its token, changes nothing', async () => {
    const { p, b } = await placeWithLink()
    const url = 'https://id.example/account'
    const other = browserAt(p)
    await signInWithPassword(other)
    const csrf_token = hiddenField(await (await other.send(url)).text(), 'csrf_token')
    const fields = { action: 'unlink', issuer: p.corp.issuer, subject: 'ada-1' }
    expect((await b.post(url, { ...fields, csrf_token })).status).toBe(403)
    expect(await p.links('default').list((await adaOf(p)).sub)).toHaveLength(1)
  })

  it('a disabled and a deleted user do not sign in, and the page is that of an unknown account', async () => {
    const page = async (change: (p: Place) => Promise<unknown>) => {
      const { p } = await placeWithLink()
      await change(p)
      const response = await signInWithCorp(p, browserAt(p))
      return {
        status: response.status,
        reasons: refusals(p),
        h1: /<h1>.*<\/h1>\n<p>.*<\/p>/.exec(await response.text())?.[0],
      }
    }
    const disabled = await page(async (p) => {
      const user = await adaOf(p)
      await p
        .users('default')
        .update({ ...user, disabled_at: 1, updated_at: user.updated_at + 1 }, user.updated_at)
    })
    const deleted = await page(async (p) => p.users('default').delete((await adaOf(p)).sub))
    expect(disabled).toMatchObject({ status: 403, reasons: ['upstream_disabled'] })
    expect(deleted).toEqual({ ...disabled, reasons: ['upstream_no_account'] })
  })

  it('a name that is used again after a deletion does not get the link', async () => {
    const { p } = await placeWithLink({ corp: SIGNUP })
    const before = await adaOf(p)
    await p.users('default').delete(before.sub)
    await p.users('default').create({ ...before, sub: 'new', credential_version: 0 })
    await signInWithCorp(p, browserAt(p))
    expect((await p.links('default').find(p.corp.issuer, 'ada-1'))?.sub).not.toBe('new')
  })
})
