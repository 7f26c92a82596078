/** A user removes the password of an account with passkeys, and sets one again. */

import { describe, expect, it } from 'vitest'
import { createDevices } from '../src/sign-in/devices.js'
import { acceptedHashes } from '../src/web/keyed-hash.js'
import {
  accountUrl,
  alertOf,
  CHANGE,
  confirmed,
  NEW_PASSWORD,
  openAccount,
  postAccount,
  signedIn,
  signInAt,
  subOf,
} from './_account.js'
import {
  addApp,
  addPasskey,
  appCode,
  formWith,
  passkeyFormOf,
  sessionOf,
  signedInWithPasskey,
  syncedPasskey,
  useWith,
  withFactors,
} from './_factors.js'
import {
  type Browser,
  browser,
  PASSWORD,
  plainPasswords,
  SECRET,
  type Setup,
  type SetupOptions,
  setup,
} from './_setup.js'

const REMOVE = { action: 'remove_password' }
const SET = { action: 'set_password', new_password: NEW_PASSWORD, new_password_again: NEW_PASSWORD }

/** Ada with this many passkeys, signed in with the first one a moment ago. */
async function withPasskeys(count: number, options: SetupOptions = {}) {
  const s = await withFactors(options)
  const first = await signedIn(s)
  const passkeys = Array.from({ length: count }, syncedPasskey)
  const codes: string[] = []
  for (const passkey of passkeys) codes.push(...(await addPasskey(s, first, passkey)))
  const [credential = syncedPasskey()] = passkeys
  const b = count === 0 ? first : await signedInWithPasskey(s, credential)
  return { s, b, credential, codes }
}

const userOf = async (s: Setup) => (await s.users('default').find(await subOf(s))) as NonNullable<User>
type User = Awaited<ReturnType<ReturnType<Setup['users']>['find']>>

const passkeyIds = async (s: Setup) =>
  (await s.factors('default').list(await subOf(s))).flatMap(({ kind, factor_id }) =>
    kind === 'passkey' ? [factor_id] : [],
  )

async function withoutPassword(options: SetupOptions = {}) {
  const made = await withPasskeys(2, options)
  await confirmed(made.b, await postAccount(made.s, made.b, REMOVE))
  return made
}

const eventsOf = (s: Setup, type: string) => s.events.filter((event) => event.type === type)

describe('remove the password', () => {
  it('is offered with the second passkey, and signs the user out everywhere else', async () => {
    const { s, b } = await withPasskeys(2)
    const other = await signedIn(s)
    const before = await userOf(s)
    const { html } = await openAccount(s, b)
    const form = formWith(html, REMOVE)
    const { sid } = (await sessionOf(s, b)) ?? { sid: '' }
    const answer = await b.post(form.url, form.fields)
    expect(await confirmed(b, answer)).toContain('Your password is removed')
    const after = await userOf(s)
    expect(after).toMatchObject({ password_hash: null, credential_version: before.credential_version + 1 })
    expect(eventsOf(s, 'account.password_removed')).toMatchObject([{ sub: after.sub, sid, realm: 'default' }])
    expect(await sessionOf(s, other)).toBeNull()
    expect(await sessionOf(s, b)).toMatchObject({ amr: ['swk', 'user', 'mfa'], acr: '2' })
    expect((await openAccount(s, b)).html).toContain('Recovery codes do not sign you in')
    expect((await signInAt(s, browser(s))).status).toBe(422)
    expect(eventsOf(s, 'login.refused')).toMatchObject([{ reason: 'no_password' }])
  })

  it.each([0, 1])('is not offered with %i passkeys, and is refused', async (count) => {
    const { s, b } = await withPasskeys(count)
    if (count === 1) await addApp(s, b)
    expect((await openAccount(s, b)).html).not.toContain('remove_password')
    const before = await userOf(s)
    const answer = await postAccount(s, b, REMOVE)
    expect([answer.status, await alertOf(answer)]).toEqual([422, expect.stringContaining('two passkeys')])
    expect(await userOf(s)).toEqual(before)
    expect(s.events.at(-1)).toMatchObject({ action: 'remove_password', reason: 'last_way_in' })
  })

  it('a passkey of another relying party ID does not count', async () => {
    const { s, b } = await withPasskeys(2)
    const sub = await subOf(s)
    const [, passkey] = (await s.factors('default').list(sub)).filter(({ kind }) => kind === 'passkey')
    if (!passkey) throw new Error('no passkey')
    await s
      .factors('default')
      .reseal(passkey.factor_id, passkey.data, { ...passkey.data, rp_id: 'other.example' })
    expect((await openAccount(s, b)).html).not.toContain('remove_password')
    expect((await postAccount(s, b, REMOVE)).status).toBe(422)
    expect((await userOf(s)).password_hash).not.toBeNull()
  })

  it('where passkeys are turned off, they do not count', async () => {
    const settings = { second_factor: 'optional' as const, passkeys: { enabled: true } }
    const { s, b } = await withPasskeys(2, { settings })
    settings.passkeys.enabled = false
    const later = await withFactors({
      settings,
      identity: { users: s.users, factors: s.factors, throttle: (realm) => s.storage(realm).throttle },
    })
    const user = browser(later)
    const { secret } = await addApp(s, b)
    later.clock.now = s.clock.now + 30
    const answer = await signInAt(later, user)
    const step = await (await user.get(answer.headers.get('location') ?? '')).text()
    const { url, fields } = formWith(step, { proof: 'totp' })
    await user.post(url, { ...fields, code: appCode(secret, later.clock.now) })
    expect((await openAccount(later, user)).html).not.toContain('remove_password')
    expect((await postAccount(later, user, REMOVE)).status).toBe(422)
    expect((await userOf(s)).password_hash).not.toBeNull()
  })

  it.each<[string, (s: Setup, b: Browser) => Promise<Browser>]>([
    ['who knows the password alone', (s) => signedIn(s)],
    [
      'a session whose passkey was used 300 seconds ago',
      async (s, b) => {
        s.clock.now += 300
        return b
      },
    ],
  ])('%s is asked for the passkey', async (_, take) => {
    const { s, b, credential } = await withPasskeys(2)
    const thief = await take(s, b)
    const before = await userOf(s)
    for (const sent of [{}, { proof: 'password', current_password: PASSWORD }]) {
      const html = await (await postAccount(s, thief, { ...REMOVE, ...sent })).text()
      expect(html).toContain('Confirm that it is you')
    }
    expect(await userOf(s)).toEqual(before)
    const form = passkeyFormOf(await (await postAccount(s, thief, REMOVE)).text())
    expect(await confirmed(thief, await useWith(thief, { form, credential }))).toContain('is removed')
    expect(await sessionOf(s, thief)).toMatchObject({ acr: '2', auth_time: s.clock.now })
    expect((await sessionOf(s, thief))?.amr).toEqual(expect.arrayContaining(['swk', 'user', 'mfa']))
  })

  it('a form of 299 seconds after the passkey, and one without a CSRF token', async () => {
    const { s, b } = await withPasskeys(2)
    s.clock.now += 299
    expect((await b.post(accountUrl(s), { ...REMOVE, csrf_token: 'x' })).status).toBe(403)
    expect((await userOf(s)).password_hash).not.toBeNull()
    expect((await postAccount(s, b, REMOVE)).status).toBe(303)
  })

  it('a sign-in with the password that is under way does not end well', async () => {
    const { s, b } = await withPasskeys(2)
    await s
      .factors('default')
      .change(
        { sub: await subOf(s), second_step: true },
        { credential_version: (await userOf(s)).credential_version, now: s.clock.now },
      )
    const thief = browser(s)
    const waits = await signInAt(s, thief)
    await postAccount(s, b, REMOVE)
    const html = await (await thief.get(waits.headers.get('location') ?? '')).text()
    expect(html).toContain('name="password"')
  })

  it.each(['password', 'passkey'])(
    'beside the removal of a passkey, the %s first: one is refused',
    async (first) => {
      const { s, b } = await withPasskeys(2)
      const [factor_id = ''] = await passkeyIds(s)
      const { csrf_token } = await openAccount(s, b)
      const remove = { action: 'remove_factor', factor_id, csrf_token }
      const users = s.users('default')
      const factors = s.factors('default')
      const [update, change] = [users.update, factors.change]
      let other: Response | null = null
      const others = async (fields: Record<string, string>) => {
        if (other !== null) return
        other = new Response()
        const copy = browser(s)
        for (const [name, value] of b.cookies) copy.cookies.set(name, value)
        other = await copy.post(accountUrl(s), fields)
      }
      // Just before one of them writes, all of the other one happens.
      if (first === 'passkey')
        users.update = async (...args) => {
          await others(remove)
          return update(...args)
        }
      else
        factors.change = async (...args) => {
          await others({ ...REMOVE, csrf_token })
          return change(...args)
        }
      const late = await b.post(accountUrl(s), first === 'passkey' ? { ...REMOVE, csrf_token } : remove)
      const ways = [(await userOf(s)).password_hash !== null, (await passkeyIds(s)).length]
      expect([late.status, ways]).toEqual([409, first === 'passkey' ? [true, 1] : [false, 2]])
      expect((other as Response | null)?.status).toBe(303)
    },
  )
})

describe('an account without a password', () => {
  it('keeps its last passkey', async () => {
    const { s, b } = await withoutPassword()
    await addApp(s, b)
    const [one = '', other = ''] = await passkeyIds(s)
    expect((await postAccount(s, b, { action: 'remove_factor', factor_id: one })).status).toBe(303)
    const answer = await postAccount(s, b, { action: 'remove_factor', factor_id: other })
    expect([answer.status, await alertOf(answer)]).toEqual([422, expect.stringContaining('only way')])
    expect(await passkeyIds(s)).toEqual([other])
    const { html } = await openAccount(s, b)
    expect(html).toContain('you cannot get back in')
    // A passkey is always two steps.
    expect(html).not.toContain('name="on"')
  })

  it('keeps the passkey that works here, not one of another relying party ID', async () => {
    const { s, b } = await withoutPassword()
    const [works, other] = (await s.factors('default').list(await subOf(s))).filter(
      ({ kind }) => kind === 'passkey',
    )
    if (!works || !other) throw new Error('no passkeys')
    await s.factors('default').reseal(other.factor_id, other.data, { ...other.data, rp_id: 'other.example' })
    expect((await openAccount(s, b)).html).toContain('you cannot get back in')
    const { factor_id } = works
    expect((await postAccount(s, b, { action: 'remove_factor', factor_id })).status).toBe(422)
    expect(await passkeyIds(s)).toHaveLength(2)
  })

  it('has a limit of its own for codes on a device that has used the passkey', async () => {
    const { s, b, credential, codes } = await withoutPassword()
    const owner = await signedInWithPasskey(s, credential)
    // A session without the cookie of the device, e.g. a stolen one.
    const thief = browser(s)
    for (const [name, value] of b.cookies) if (!name.includes('device')) thief.cookies.set(name, value)
    s.clock.now += 300
    const code = (recovery_code: string) => ({ action: 'new_codes', proof: 'recovery', recovery_code })
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt += 1)
      statuses.push((await postAccount(s, thief, code('0000-0000-0000-0000'))).status)
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
    expect((await postAccount(s, thief, code(codes[0] ?? ''))).status).toBe(429)
    expect((await postAccount(s, owner, code(codes[0] ?? ''))).status).toBe(200)
  })

  it('a device that has signed in with the password is not known after its removal', async () => {
    const { s } = await withPasskeys(2)
    const user = await userOf(s)
    const devices = createDevices(acceptedHashes({ secret: SECRET }, 'device'))
    const realm = (await s.provider.locate(new Request(accountUrl(s))))?.realm
    if (!realm) throw new Error('no realm')
    const request = (cookie: string) =>
      new Request(accountUrl(s), { headers: { cookie: cookie.split(';', 1)[0] ?? '' } })
    const cookie = devices.remember(new Request(accountUrl(s)), realm, user)
    expect(devices.find(request(cookie), realm, user)).not.toBeNull()
    const without = { ...user, password_hash: null }
    expect(devices.find(request(cookie), realm, without)).toBeNull()
    const later = devices.remember(new Request(accountUrl(s)), realm, without)
    expect(devices.find(request(later), realm, without)).not.toBeNull()
    expect(devices.find(request(later), realm, user)).toBeNull()
    expect(devices.find(request(later), realm, { ...without, disabled_at: 1 })).toBeNull()
  })
})

describe('set a password', () => {
  it('after a proof by passkey, for an account without one', async () => {
    const { s, b, credential } = await withoutPassword()
    const before = await userOf(s)
    const other = await signedInWithPasskey(s, credential)
    const form = formWith((await openAccount(s, b)).html, { action: 'set_password' })
    const { sid } = (await sessionOf(s, b)) ?? { sid: '' }
    const answer = await b.post(form.url, { ...form.fields, ...SET })
    expect(await confirmed(b, answer)).toContain('Your password is set')
    expect(await userOf(s)).toMatchObject({
      password_hash: await plainPasswords.hash(NEW_PASSWORD),
      credential_version: before.credential_version + 1,
    })
    expect(eventsOf(s, 'account.password_set')).toMatchObject([{ sub: before.sub, sid }])
    expect(await sessionOf(s, other)).toBeNull()
    expect((await signInAt(s, browser(s), { password: NEW_PASSWORD })).status).toBe(303)
    expect((await openAccount(s, b)).html).toContain('remove_password')
  })

  it.each([
    ['too short', { new_password: 'short', new_password_again: 'short' }],
    ['not repeated', { new_password_again: 'another one' }],
  ])('%s: the form again, and nothing is stored', async (_, fields) => {
    const { s, b } = await withoutPassword()
    const answer = await postAccount(s, b, { ...SET, ...fields })
    const html = await answer.text()
    expect([answer.status, html.includes('id="password-error"')]).toEqual([422, true])
    expect(html).toMatch(/<details open>\s*<summary>Set a password/)
    expect((await userOf(s)).password_hash).toBeNull()
  })

  it('asks for the passkey after 300 seconds, and opens the form again', async () => {
    const { s, b, credential } = await withoutPassword()
    s.clock.now += 300
    const page = await (await postAccount(s, b, SET)).text()
    expect(page).toContain('Confirm that it is you')
    expect((await userOf(s)).password_hash).toBeNull()
    const answer = await useWith(b, { form: passkeyFormOf(page), credential })
    expect(answer.headers.get('location')).toBe(`${accountUrl(s)}#new_password`)
    expect((await postAccount(s, b, SET)).status).toBe(303)
  })

  it.each<[string, () => Promise<{ s: Setup; b: Browser }>]>([
    ['an account that has one', () => withPasskeys(2)],
    [
      'an account without a passkey, whose session an application has begun',
      async () => {
        const { s, b } = await withPasskeys(0)
        const user = await userOf(s)
        const none = { ...user, password_hash: null, updated_at: user.updated_at + 1 }
        await s.users('default').update(none, user.updated_at)
        return { s, b }
      },
    ],
  ])('is no action of %s', async (_, make) => {
    const { s, b } = await make()
    const before = await userOf(s)
    expect((await openAccount(s, b)).html).not.toContain('set_password')
    expect((await postAccount(s, b, SET)).status).toBe(400)
    expect(await userOf(s)).toEqual(before)
  })

  it('the account has changed meanwhile: nothing is stored', async () => {
    const { s, b } = await withoutPassword()
    const users = s.users('default')
    const { update } = users
    users.update = async (user, expected) => {
      const stored = await userOf(s)
      const factors = s.factors('default')
      const { sub, credential_version } = stored
      await factors.change({ sub, second_step: true }, { credential_version, now: s.clock.now })
      return update(user, expected)
    }
    expect((await postAccount(s, b, SET)).status).toBe(409)
    expect((await userOf(s)).password_hash).toBeNull()
  })

  it('changes it again with the current one', async () => {
    const { s, b } = await withoutPassword()
    await postAccount(s, b, SET)
    const again = {
      ...CHANGE,
      current_password: NEW_PASSWORD,
      new_password: PASSWORD,
      new_password_again: PASSWORD,
    }
    expect(await confirmed(b, await postAccount(s, b, again))).toContain('Your password is changed')
  })
})

it('without factors, neither action exists', async () => {
  const s = await setup({ stored: plainPasswords, identity: { passwords: plainPasswords } })
  const b = await signedIn(s)
  for (const fields of [REMOVE, SET]) expect((await postAccount(s, b, fields)).status).toBe(400)
  expect((await userOf(s)).password_hash).not.toBeNull()
})
