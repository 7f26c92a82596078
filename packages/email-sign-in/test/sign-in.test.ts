/** Sign-in, a forgotten password and a mailed code by address, and what must not come of it. */

import { type Extension, memoryUserStores, type UserStore, updateUser, upsertUser } from '@ostiary/identity'
import { hiddenField } from '@ostiary/test-kit/browser'
import { beforeEach, describe, expect, it } from 'vitest'
import { browserAt, HASH, isSignedIn, place, reasons, wrong } from '../../email-codes/test/_place.ts'
import { memoryEntries } from '../src/entries.ts'
import { createEmailSignIn, type EmailSignIn } from '../src/index.ts'

const PASSWORD = 'correct horse battery staple'
const ADA = 'ada@corp.example'

/** Users and entries, whose calls are counted. */
function counted(users: UserStore, calls: string[]): UserStore {
  return new Proxy(users, {
    get(store, name: keyof UserStore) {
      return (...args: never[]) => {
        calls.push(name)
        return (store[name] as (...all: never[]) => unknown)(...args)
      }
    },
  })
}

async function world(options: Parameters<typeof place>[0] = {}) {
  const calls: string[] = []
  let by_email: EmailSignIn | null = null
  const names: Extension = {
    name: 'email-sign-in',
    names: (realm) => by_email?.extension.names?.(realm) ?? null,
  }
  const stores = memoryUserStores()
  const p = await place({
    ...options,
    others: [names],
    stores,
    identity: { users: (realm) => counted(stores.users(realm), calls), ...options.identity },
  })
  const entries = memoryEntries()
  by_email = createEmailSignIn({
    realms: ['default'],
    users: (realm) => counted(p.users(realm), calls),
    addresses: (realm) => {
      const of_realm = entries(realm)
      return {
        ...of_realm,
        find(key) {
          calls.push('entries')
          return of_realm.find(key)
        },
      }
    },
  })
  await by_email.fill()
  const users = by_email.users('default')
  const add = (username: string, more: object = {}) =>
    upsertUser(users, { username, password: `${username} ${PASSWORD}`, ...more }, { passwords: HASH })
  async function forgot(username: string, from = {}) {
    const b = browserAt(p, from)
    const fields = { csrf_token: hiddenField(await b.read(`${b.base}/login/recover`), 'csrf_token') }
    const answer = await b.post(`${b.base}/login/recover`, { ...fields, username })
    await p.deliver()
    return answer
  }
  return { ...p, p, calls, users, add, forgot }
}

let w: Awaited<ReturnType<typeof world>>
beforeEach(async () => {
  w = await world()
})

it('a password signs in with the name and with the confirmed address, in any case and width', async () => {
  for (const typed of ['ada', ADA, 'Ada@Corp.Example', ' ａda@corp.example '])
    expect(isSignedIn(await browserAt(w.p).signIn(typed)), typed).toBe(true)
})

it('a code and a new password are mailed to who has the address', async () => {
  const b = browserAt(w.p)
  const [html, code] = await b.codeFor('ADA@corp.example')
  expect(w.sent.at(-1)).toMatchObject({ to: ADA })
  expect(isSignedIn(await b.enter(html, code))).toBe(true)
  expect((await w.forgot(ADA)).status).toBe(303)
  expect(w.sent.at(-1)).toMatchObject({ to: ADA, text: expect.stringContaining('/login/reset?t=') })
  const of_code = browserAt(w.p)
  const [page, right] = await of_code.codeFor(ADA)
  await updateUser(w.users, {
    sub: (await w.user('ada')).sub,
    change: () => ({ claims: { email: 'new@corp.example', email_verified: true } }),
  })
  expect((await of_code.enter(page, right)).status).toBe(422)
})

describe('an address leads to no account', () => {
  it('that was not confirmed', async () => {
    const mails = w.sent.length
    expect((await browserAt(w.p).signIn('una@corp.example')).status).toBe(422)
    expect(w.events.at(-1)).toMatchObject({ type: 'login.refused', reason: 'unknown_user', sub: null })
    await w.forgot('una@corp.example')
    await browserAt(w.p).ask('una@corp.example')
    await w.p.deliver()
    expect(w.sent).toHaveLength(mails)
    expect(isSignedIn(await browserAt(w.p).signIn('una'))).toBe(true)
  })

  it('that two have confirmed, until one of them changes it', async () => {
    await w.add('twin', { email: ADA, email_verified: true })
    const mails = w.sent.length
    for (const password of [PASSWORD, `twin ${PASSWORD}`])
      expect((await browserAt(w.p).signIn(ADA, password)).status).toBe(422)
    await w.forgot(ADA)
    expect(w.sent).toHaveLength(mails)
    expect(isSignedIn(await browserAt(w.p).signIn('ada'))).toBe(true)
    expect(isSignedIn(await browserAt(w.p).signIn('twin', `twin ${PASSWORD}`))).toBe(true)
    await w.add('twin', { email: ADA, email_verified: false })
    expect(isSignedIn(await browserAt(w.p).signIn(ADA))).toBe(true)
  })

  it('of a disabled user, nor that of a user who has another now', async () => {
    expect((await browserAt(w.p).signIn('off@corp.example')).status).toBe(422)
    expect(reasons(w.p)).toEqual(['disabled'])
    await w.add('mia', { email: 'old@corp.example', email_verified: true })
    await w.add('mia', { email: 'mia@corp.example', email_verified: true })
    expect((await browserAt(w.p).signIn('old@corp.example', `mia ${PASSWORD}`)).status).toBe(422)
    expect(isSignedIn(await browserAt(w.p).signIn('mia@corp.example', `mia ${PASSWORD}`))).toBe(true)
  })
})

describe('pre-hijacking', () => {
  it('an unconfirmed claim before the owner, or after, changes nothing for the owner', async () => {
    await w.add('eve', { email: 'new@corp.example', email_verified: false })
    await w.add('owner', { email: 'new@corp.example', email_verified: true })
    await w.add('mallory', { email: 'new@corp.example' })
    expect(isSignedIn(await browserAt(w.p).signIn('new@corp.example', `owner ${PASSWORD}`))).toBe(true)
    for (const name of ['eve', 'mallory'])
      expect((await browserAt(w.p).signIn('new@corp.example', `${name} ${PASSWORD}`)).status).toBe(422)
  })

  it('nobody takes an address as username that another has confirmed', async () => {
    await expect(w.add(ADA)).rejects.toThrow('confirmed address')
    await w.add('eve')
    const { sub } = await w.user('eve')
    await expect(updateUser(w.users, { sub, change: () => ({ username: ADA }) })).rejects.toThrow()
    expect(isSignedIn(await browserAt(w.p).signIn(ADA))).toBe(true)
  })

  it('who had the username before keeps it: nothing of the owner leads there, and nothing of there to the owner', async () => {
    await w.add('first@corp.example', { email: 'eve@evil.example', email_verified: true })
    await w.add('owner', { email: 'first@corp.example', email_verified: true })
    const eve = browserAt(w.p)
    expect((await eve.signIn('first@corp.example', `owner ${PASSWORD}`)).status).toBe(422)
    const signed_in = await browserAt(w.p).signIn('first@corp.example', `first@corp.example ${PASSWORD}`)
    expect(isSignedIn(signed_in)).toBe(true)
    await w.forgot('first@corp.example')
    expect(w.sent.at(-1)).toMatchObject({ to: 'eve@evil.example' })
    expect(isSignedIn(await browserAt(w.p).signIn('owner', `owner ${PASSWORD}`))).toBe(true)
  })
})

describe('limits count for the account', () => {
  it('guesses by both names are no more than by one', async () => {
    w = await world({ identity: { limits: { failures: 4 } } })
    const from = { address: '203.0.113.5' }
    for (const typed of ['ada', ADA, 'ada', ADA])
      expect((await browserAt(w.p, from).signIn(typed, 'wrong')).status).toBe(422)
    for (const typed of ['ada', ADA]) {
      expect((await browserAt(w.p, from).signIn(typed)).status).toBe(429)
      // Another account has its own.
      expect((await browserAt(w.p, from).signIn('bea@corp.example', 'wrong')).status).toBe(422)
    }
  })

  it('mails by both names are no more than by one', async () => {
    const asked = ['ada', ADA, 'ada']
    for (const typed of asked) await w.forgot(typed)
    const { length } = w.sent
    for (const typed of [ADA, 'ada']) {
      await w.forgot(typed)
      await browserAt(w.p).ask(typed)
      await w.p.deliver()
    }
    const throttled = w.events.filter(({ type }) => type === 'mail.throttled')
    expect(throttled).toMatchObject(Array(4).fill({ limit: 'mail_account' }))
    expect(w.sent).toHaveLength(length)
    await w.forgot('bea@corp.example')
    expect(w.sent).toHaveLength(length + 1)
  })

  it('mailed codes likewise', async () => {
    for (const typed of [ADA, 'ada', ADA]) await browserAt(w.p).codeFor(typed)
    const { length } = w.sent
    await browserAt(w.p).ask('ada')
    await w.p.deliver()
    expect(w.sent).toHaveLength(length)
  })
})

describe('a name tells nothing', () => {
  const NAMES = [
    'ada',
    ADA,
    'nobody',
    'no@corp.example',
    'una@corp.example',
    'off@corp.example',
    'shared@x.example',
  ]

  const TOKENS = /(name="(?:csrf_token|return_to)" value=")[^"]*|return_to=[^"&]+/g

  it('each has the same page and the same look-ups', async () => {
    w = await world({ settings: { passkeys: { enabled: false } } })
    for (const name of ['twin', 'twins'])
      await w.add(name, { email: 'shared@x.example', email_verified: true })
    const seen = []
    for (const username of NAMES) {
      const b = browserAt(w.p)
      const found = []
      for (const act of [
        () => b.signIn(username, 'wrong'),
        () => b.ask(username),
        () => w.forgot(username, { address: '203.0.113.5' }),
      ]) {
        w.calls.length = 0
        const answer = await act()
        found.push(answer.status, (await answer.text()).replaceAll(username, 'NAME').replace(TOKENS, ''))
        // What the delivery looks up comes after these, and before the next answer.
        found.push(w.calls.slice(0, 4).join(' '))
        await w.p.deliver()
      }
      seen.push(found)
    }
    for (const found of seen) expect(found).toEqual(seen[0])
    expect(seen[0]?.filter((text) => text === 'findByUsername entries find find')).toHaveLength(3)
  })
})

it('the field says what may be typed, in each language, and an operator keeps the own text', async () => {
  const labelIn = async (language: string, path = '/login') => {
    const b = browserAt(w.p)
    const url = path === '/login' ? await b.authorize() : `${b.base}${path}`
    const html = await (await b.send(url, { headers: { 'accept-language': language } })).text()
    return /<label for="username">([^<]+)</.exec(html)?.[1]
  }
  for (const path of ['/login', '/login/recover']) {
    expect(await labelIn('en', path)).toBe('Username or email')
    expect(await labelIn('de', path)).toBe('Benutzername oder E-Mail')
    expect(await labelIn('fr', path)).toBe('Nom d’utilisateur ou e-mail')
  }
  const catalogs = [{ language: 'en', messages: { 'sign_in.username': 'Staff number' } }]
  w = await world({ identity: { languages: { catalogs } } })
  expect(await labelIn('en')).toBe('Staff number')
})

it('in a realm that has it not, an address is no name', async () => {
  w = await world({ realms: ['default', 'other'] })
  expect(isSignedIn(await browserAt(w.p, { realm: 'default' }).signIn(ADA))).toBe(true)
  expect((await browserAt(w.p, { realm: 'other' }).signIn(ADA)).status).toBe(422)
})

it('a wrong code for an address is refused like that for a name', async () => {
  for (const typed of ['ada', ADA]) {
    const b = browserAt(w.p)
    const [html, code] = await b.codeFor(typed)
    expect((await b.enter(html, wrong(code))).status).toBe(422)
  }
  expect(reasons(w.p)).toEqual(['wrong_code', 'wrong_code'])
})
