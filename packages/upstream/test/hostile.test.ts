/** Attacks with a whole sign-in: an attacker who has an account at a provider, or has planted one here, and a victim. */

import { expect, it } from 'vitest'
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
  type TestBrowser,
} from './_place.js'

const ADA = 'ada@corp.example'
const BOB = 'bob@corp.example'
const MERGE = { link: 'verified_email', authoritative_domains: ['corp.example'] } as const
const SIGNUP = { signup: true }

const userOf = async (p: Place, name = ADA) => {
  const user = await p.users('default').findByUsername(name)
  if (!user) throw new Error('no user')
  return user
}

async function verify(p: Place): Promise<void> {
  const user = await userOf(p)
  const claims = { email: ADA, email_verified: true }
  await p.users('default').update({ ...user, claims, updated_at: user.updated_at + 1 }, user.updated_at)
}

const linksOf = async (p: Place, name = ADA) => p.links('default').list((await userOf(p, name)).sub)

async function signInWithEvil(p: Place, b: TestBrowser): Promise<Response> {
  return b.callback('evil', p.evil.signIn((await b.start('evil')).location))
}

/** The user of the session of this browser. */
async function nameOn(b: TestBrowser): Promise<string> {
  const html = await (await b.send('https://id.example/account')).text()
  return /<bdi>(.*?)<\/bdi>/.exec(html)?.[1] ?? ''
}

const TENANT = '11111111-2222-4333-8444-555555555555'
const microsoftOf = (tid: string): string => `https://login.microsoftonline.com/${tid}/v2.0`

async function entra(more: Record<string, unknown>) {
  const issuer = microsoftOf('organizations')
  const p = await place({ corp: { issuer, tenants: ['*'], ...MERGE } })
  await verify(p)
  p.corp.breaks = {
    document: { issuer: microsoftOf('{tenantid}') },
    claims: { iss: microsoftOf(TENANT), tid: TENANT, email: ADA, email_verified: true, ...more },
  }
  return p
}

it('nOAuth: an administrator of a Microsoft tenant gives an account there the address of the victim', async () => {
  for (const more of [{}, { xms_edov: false }, { xms_edov: 0 }, { preferred_username: ADA, upn: ADA }]) {
    const p = await entra(more)
    expect(isSignedIn(await signInWithCorp(p, browserAt(p)))).toBe(false)
    expect([refusals(p), await linksOf(p)]).toEqual([['upstream_no_account'], []])
  }
  // The tenant that owns the domain of the address.
  const owner = await entra({ xms_edov: true })
  expect(isSignedIn(await signInWithCorp(owner, browserAt(owner)))).toBe(true)
})

it('nOAuth: an account at GitHub with an address of the victim that GitHub has not verified', async () => {
  for (const [verified, expected] of [
    [false, false],
    [true, true],
  ] as const) {
    const p = await place({ hub: MERGE })
    await verify(p)
    p.hub.user = { id: 666, login: 'eve', email: ADA }
    p.hub.addresses = [{ email: ADA, primary: true, verified }]
    const b = browserAt(p)
    const answer = await b.callback('github', p.hub.signIn((await b.start('github')).location))
    expect([isSignedIn(answer), (await linksOf(p)).length]).toEqual([expected, Number(expected)])
  }
})

it('a provider that changes the subject of an account signs in no one with it, whatever else is the same', async () => {
  const p = await place()
  const b = browserAt(p)
  await signInWithPassword(b)
  const sent = await atAccount(b, 'link', { upstream: 'evil' })
  await b.callback('evil', p.evil.signIn(sent.headers.get('location') ?? ''))
  expect(isSignedIn(await signInWithEvil(p, browserAt(p)))).toBe(true)
  p.evil.person = { ...p.evil.person, sub: 'ada-2' }
  expect(isSignedIn(await signInWithEvil(p, browserAt(p)))).toBe(false)
  // Nor does the subject of a user of another provider.
  await linkCorp(p, b)
  p.evil.person = { ...p.corp.person }
  p.evil.breaks = { claims: { iss: p.corp.issuer } }
  expect(isSignedIn(await signInWithEvil(p, browserAt(p)))).toBe(false)
  expect(refusals(p)).toEqual(['upstream_no_account', 'upstream_issuer_differs'])
})

it('pre-hijacking, trojan identifier: who signs up with the address of the victim gets neither their account nor their name', async () => {
  const p = await place({ corp: { ...MERGE, ...SIGNUP }, evil: SIGNUP })
  p.evil.person = { sub: 'eve', preferred_username: BOB, email: BOB, email_verified: true }
  const attacker = browserAt(p)
  expect(isSignedIn(await signInWithEvil(p, attacker))).toBe(true)
  // The name that is the address stays free for who reads its mails.
  const planted = await userOf(p, 'bob')
  expect(planted.claims.email_verified).toBe(false)
  expect(await p.users('default').findByUsername(BOB)).toBeNull()
  p.corp.person = { sub: 'bob-1', email: BOB, email_verified: true }
  const victim = browserAt(p)
  expect(isSignedIn(await signInWithCorp(p, victim))).toBe(true)
  expect((await linksOf(p, BOB)).map(({ subject }) => subject)).toEqual(['bob-1'])
  expect(isSignedIn(await signInWithEvil(p, browserAt(p)))).toBe(true)
  expect((await linksOf(p, 'bob')).map(({ subject }) => subject)).toEqual(['eve'])
})

it('pre-hijacking, unexpired session: a session of the planted account shows nothing of the victim', async () => {
  const p = await place({ corp: { ...MERGE, ...SIGNUP } })
  const attacker = browserAt(p)
  await signInWithPassword(attacker)
  const victim = browserAt(p)
  expect(isSignedIn(await signInWithCorp(p, victim))).toBe(true)
  const subs = (await p.users('default').list({ limit: 9 })).map(({ sub }) => sub)
  const manage = await p.provider.manage('default')
  const sessions = await Promise.all(subs.map(async (sub) => (await manage.sessions.list(sub)).length))
  expect(sessions).toEqual([1, 1])
  expect(await nameOn(attacker)).toBe(ADA)
  expect(await nameOn(victim)).not.toBe(ADA)
  expect(await linksOf(p)).toEqual([])
})

it('pre-hijacking, unexpired change: a link that the attacker has begun ends with the take-over of the account', async () => {
  const p = await place()
  const attacker = browserAt(p)
  await signInWithPassword(attacker)
  const sent = await atAccount(attacker, 'link', { upstream: 'evil' })
  const params = p.evil.signIn(sent.headers.get('location') ?? '')
  // The victim gets the account back: a new password ends all sessions.
  const { sub, credential_version, updated_at, ...user } = await userOf(p)
  const taken = { ...user, sub, credential_version: credential_version + 1, updated_at: updated_at + 1 }
  await p.users('default').update(taken, updated_at)
  await (await p.provider.manage('default')).users.endAccess(sub, { reason: 'password_changed' })
  expect((await attacker.callback('evil', params)).status).toBe(403)
  expect(await linksOf(p)).toEqual([])
  expect(isSignedIn(await signInWithEvil(p, browserAt(p)))).toBe(false)
})
