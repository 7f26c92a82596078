/** What a stranger who knows an address, or has a link, can and cannot do. */

import { createUser, inviteUser, setDisabled, type UserStore } from '@ostiary/identity'
import { type MailClaim, MailError, memoryMailQueue } from '@ostiary/identity/mail'
import { describe, expect, it } from 'vitest'
import {
  browserAt,
  isSignedIn,
  lastLink,
  linkFor,
  PASSWORD,
  type Place,
  place,
  types,
  withoutTokens,
} from './_place.js'

const ANN = 'ann@corp.example'
const EVE_PASSWORD = 'words that eve has chosen herself'

/** Users of each kind, by their names. */
async function people(p: Place): Promise<string[]> {
  const users = p.users('default')
  const now = () => p.clock.now
  await createUser(users, { username: 'off@corp.example', email: 'off@corp.example' }, { now })
  const off = await users.findByUsername('off@corp.example')
  await setDisabled(users, { sub: off?.sub ?? '', disabled: true }, { now })
  const located = await p.provider.locate(new Request('https://id.example/login'))
  if (!located) throw new Error('No realm')
  const { users: all, tickets, storage } = p
  await inviteUser(
    {
      users: all,
      tickets,
      throttle: (realm) => storage(realm).throttle,
      secret: 'a secret of this test, 32 characters',
      now,
    },
    located.realm,
    { username: 'invited@corp.example', email: 'invited@corp.example' },
  )
  await browserAt(p).press(await linkFor(p, 'half@corp.example'))
  return [
    'ada@corp.example',
    'off@corp.example',
    'invited@corp.example',
    'half@corp.example',
    'none@corp.example',
  ]
}

/** Counts the calls of the stores. */
function counting(calls: string[]): (users: (realm: string) => UserStore) => (realm: string) => UserStore {
  return (users) => (realm) =>
    new Proxy(users(realm), {
      get(target, name, receiver) {
        const value = Reflect.get(target, name, receiver)
        return typeof value === 'function'
          ? (...parameters: unknown[]) => {
              calls.push(String(name))
              return value.apply(target, parameters)
            }
          : value
      },
    })
}

describe('the page of a sign-up', () => {
  it('answers each address alike, to the last byte, and asks the store of users nothing', async () => {
    const calls: string[] = []
    const queue = memoryMailQueue()
    let delivers = true
    const held = { ...queue, claim: async (claim: MailClaim) => (delivers ? queue.claim(claim) : []) }
    const p = await place({ wrap: counting(calls), queue: held })
    const answers = []
    const asked = []
    const addresses = await people(p)
    delivers = false
    for (const address of addresses) {
      const b = browserAt(p)
      calls.length = 0
      const answer = await b.ask(address)
      const after = await b.send(answer.headers.get('location') ?? '')
      answers.push([answer.status, [...answer.headers], withoutTokens(await after.text())])
      asked.push([...calls])
      expect(await queue.page({ limit: 100 })).toHaveLength(asked.length)
    }
    const [first] = answers
    for (const one of answers) expect(one).toEqual(first)
    expect(asked).toEqual([[], [], [], [], []])
  })

  it('the mail has what is true for its address: a link for a new one, and for one that was never finished', async () => {
    const p = await place()
    for (const address of await people(p)) await linkFor(p, address).catch(() => null)
    expect(p.sent.slice(-5).map(({ to, subject }) => [to, subject.split(' – ')[0]])).toEqual([
      ['ada@corp.example', 'You already have an account'],
      ['off@corp.example', 'You already have an account'],
      ['invited@corp.example', 'You already have an account'],
      ['half@corp.example', 'Confirm your address'],
      ['none@corp.example', 'Confirm your address'],
    ])
  })

  it('a link that was sent before the account existed does not change it', async () => {
    const p = await place()
    const first = await linkFor(p, ANN)
    const second = await linkFor(p, ANN)
    const b = browserAt(p)
    await b.press(first)
    await b.chooseNewPassword()
    const late = browserAt(p)
    const answer = await late.press(second)
    expect(answer.status).toBe(409)
    expect(await answer.text()).toContain('You already have an account')
    expect(late.cookies.has('__Host-ostiary_recovery')).toBe(false)
    expect((await browserAt(p).signIn(ANN)).status).toBe(303)
  })

  it('needs its own token: a form of another site, and one of another browser, start nothing', async () => {
    const p = await place()
    const b = browserAt(p)
    const none = await b.post(b.signUpUrl(), { csrf_token: 'x'.repeat(43), address: ANN })
    expect(none.status).toBe(403)
    expect(await none.text()).toContain('could not confirm this form')
    const foreign = await b.ask(ANN, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(foreign.status).toBe(403)
    const link = await linkFor(p, ANN)
    const t = new URL(link).searchParams.get('t') ?? ''
    const pressed = await browserAt(p).post(b.signUpUrl(), { csrf_token: 'x'.repeat(43), t })
    expect(pressed.status).toBe(403)
    expect(await p.users('default').findByUsername(ANN)).toBeNull()
    expect(types(p).filter((type) => type === 'signup.started')).toHaveLength(1)
    expect((await browserAt(p).press(link)).status).toBe(303)
  })

  it.each([
    ['no field', {}],
    ['an empty one', { address: '' }],
    ['two addresses', { address: 'ann@corp.example, eve@evil.example' }],
    ['a header', { address: 'ann@corp.example\r\nBcc: eve@evil.example' }],
    ['a line end in the name', { address: 'a\nb@corp.example' }],
    ['a display name', { address: 'Ann <ann@corp.example>' }],
    ['a quoted name', { address: '"ann b"@corp.example' }],
    ['a hidden character', { address: 'an\u200bn@corp.example' }],
    ['a text of the other direction', { address: 'ann\u202e@corp.example' }],
    ['a NUL', { address: 'ann\u0000@corp.example' }],
    ['no domain', { address: 'ann@' }],
    ['an empty label', { address: 'ann@corp..example' }],
    ['a dot at the end', { address: 'ann@corp.example.' }],
    ['a name alone', { address: 'ada' }],
    ['255 characters', { address: `${'a'.repeat(242)}@corp.example` }],
  ])('%s is no address', async (_, fields) => {
    const p = await place()
    const b = browserAt(p)
    const html = await (await b.send(b.signUpUrl())).text()
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? ''
    const answer = await b.post(b.signUpUrl(), { csrf_token, ...fields } as Record<string, string>)
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain('role="alert">Enter one address')
    expect(await p.queue.page({ limit: 10 })).toEqual([])
  })

  it('an address of 254 characters is one', async () => {
    const p = await place()
    expect((await browserAt(p).ask(`${'a'.repeat(241)}@corp.example`)).status).toBe(303)
  })

  it('markup in an address is text, on the page and in the mail, whose structure stays', async () => {
    const p = await place()
    const address = "x&y'=z{b}`!#$%^*|~+/?@corp.example"
    const b = browserAt(p)
    expect(await (await b.ask('<b>"x"</b>@corp.example')).text()).toContain(
      'value="&lt;b&gt;&quot;x&quot;&lt;/b&gt;@corp.example"',
    )
    const link = await linkFor(p, address)
    expect(await (await b.send(link)).text()).toContain('<bdi>x&amp;y')
    const { to, subject, html, text } = p.sent.at(-1) ?? { to: '', subject: '', html: '', text: '' }
    expect(to).toBe(address)
    expect(html).toContain('x&amp;y')
    for (const field of [to, subject]) expect(field).not.toMatch(/\p{Cc}/u)
    expect(text).toContain(address)
  })

  it('writes one address, however it was typed: the mail goes to the name that it proves', async () => {
    const p = await place()
    for (const typed of ['ANN@Corp.Example', ' ann@corp.example', 'ａnn@corp．example'])
      await linkFor(p, typed)
    expect(new Set(p.sent.map(({ to }) => to))).toEqual(new Set([ANN]))
  })

  it('the host of the request is in no link', async () => {
    const p = await place()
    const b = browserAt(p)
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    }
    const answer = await b.ask(ANN, { headers })
    expect(answer.headers.get('location')).toBe('https://id.example/login/signup?sent=')
    await b.ask('ada@corp.example', { headers })
    await p.deliver()
    for (const { text, html } of p.sent) {
      expect(text + html).not.toContain('evil')
      expect(text).toContain('https://id.example/login')
    }
  })
})

describe('a link', () => {
  it('is not used up by GET and HEAD, nor by what a program that looks into mails does', async () => {
    const p = await place()
    const link = await linkFor(p, ANN)
    for (const method of ['GET', 'HEAD', 'GET']) {
      const answer = await browserAt(p).send(link, { method })
      expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    }
    // A POST without the form's token, as a scripted program sends it to each link.
    expect((await browserAt(p).post(link, {})).status).toBe(403)
    const html = await (await browserAt(p).send(link)).text()
    expect(html).not.toContain('<script')
    expect(await p.users('default').findByUsername(ANN)).toBeNull()
    expect((await browserAt(p).press(link)).headers.get('location')).toBe('https://id.example/login/ticket')
  })

  it('works once', async () => {
    const p = await place()
    const link = await linkFor(p, ANN)
    const b = browserAt(p)
    const html = await (await b.send(link)).text()
    const fields = { t: new URL(link).searchParams.get('t') ?? '' }
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? ''
    const press = () => b.post(b.signUpUrl(), { ...fields, csrf_token })
    expect((await press()).status).toBe(303)
    const again = await press()
    expect([again.status, await again.text()]).toEqual([
      400,
      expect.stringContaining('This link does not work'),
    ])
    // Not even after its user was deleted.
    const user = await p.users('default').findByUsername(ANN)
    await p.users('default').delete(user?.sub ?? '')
    expect((await press()).status).toBe(400)
    expect(await p.users('default').findByUsername(ANN)).toBeNull()
  })

  it('used by 20 at once, each of which the store of users has answered: one wins', async () => {
    let waiting: (() => void)[] | null = null
    const p = await place({
      wrap: (users) => (realm) => ({
        ...users(realm),
        async findByUsername(key) {
          const found = await users(realm).findByUsername(key)
          const held = waiting
          if (held !== null)
            await new Promise<void>((go) => {
              held.push(go)
              if (held.length === 20) for (const one of held) one()
            })
          return found
        },
      }),
    })
    const link = await linkFor(p, ANN)
    waiting = []
    const answers = await Promise.all(Array.from({ length: 20 }, () => browserAt(p).press(link)))
    expect(answers.map(({ status }) => status).sort()).toEqual([
      303,
      ...Array.from({ length: 19 }, () => 400),
    ])
    expect(types(p).filter((type) => type === 'signup.completed')).toHaveLength(1)
  })

  it('two links to one new address, used at once: one user, and one of them finishes', async () => {
    const p = await place()
    const links = [await linkFor(p, ANN), await linkFor(p, ANN)]
    const browsers = links.map(() => browserAt(p))
    const begun = await Promise.all(browsers.map((b, index) => b.press(links[index] ?? '')))
    expect(begun.map(({ status }) => status)).toEqual([303, 303])
    expect(types(p).filter((type) => type === 'signup.completed')).toHaveLength(1)
    expect((await browsers[0]?.chooseNewPassword())?.headers.get('location')).toBe(
      'https://id.example/account',
    )
    const second = await browsers[1]?.send('https://id.example/login/ticket')
    expect(second?.status).toBe(400)
  })

  it('works for 24 hours', async () => {
    for (const [seconds, status] of [
      [86_399, 200],
      [86_400, 400],
    ] as const) {
      const p = await place()
      const link = await linkFor(p, ANN)
      p.clock.now += seconds
      expect((await browserAt(p).send(link)).status).toBe(status)
      expect(await p.users('default').findByUsername(ANN)).toBeNull()
    }
  })

  it('a mail that waits longer than its link works is not sent', async () => {
    for (const [seconds, sent] of [
      [86_399, 1],
      [86_400, 0],
    ] as const) {
      let is_down = true
      const mails: unknown[] = []
      const mailer = {
        async send(mail: unknown) {
          if (is_down) throw new MailError('unreachable', { permanent: false })
          mails.push(mail)
        },
      }
      const p = await place({ mail: { mailer } })
      await browserAt(p).ask(ANN)
      await p.deliver()
      is_down = false
      p.clock.now += seconds
      await p.deliver()
      expect(mails).toHaveLength(sent)
      expect(await p.queue.page({ limit: 10 })).toEqual([])
    }
  })

  it('of another realm, of another use, changed, and none at all are the same page', async () => {
    const p = await place({ realms: ['one', 'two'] })
    const link = await linkFor(p, ANN, { realm: 'one' })
    const t = new URL(link).searchParams.get('t') ?? ''
    const b = browserAt(p, { realm: 'two' })
    const pages = []
    for (const secret of [t, t.slice(1), '', 'x'.repeat(500), `${t}&t=${t}x`]) {
      const answer = await b.send(`${b.signUpUrl()}?t=${secret}`)
      pages.push([answer.status, await answer.text()])
    }
    expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(1)
    expect(pages[0]?.[0]).toBe(400)
    const html = await (await b.send(b.signUpUrl())).text()
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? ''
    expect((await b.post(b.signUpUrl(), { csrf_token, t })).status).toBe(400)
    for (const realm of ['one', 'two']) expect(await p.users(realm).findByUsername(ANN)).toBeNull()
  })

  it('copied to another browser proves the mailbox, and signs in the one who uses it alone', async () => {
    const p = await place()
    // Who asks has a request that waits, in a browser without access to the mailbox.
    const eve = browserAt(p)
    const url = await eve.authorize({ prompt: 'create' })
    await eve.ask(ANN, { url })
    await p.deliver()
    const link = lastLink(p)
    // The link names no request: the victim would be taken to an application that somebody else has chosen.
    expect(link).not.toContain('return_to')
    const ann = browserAt(p)
    await ann.press(link)
    const end = await ann.chooseNewPassword()
    expect(end.headers.get('location')).toBe('https://id.example/account')
    expect(isSignedIn(end)).toBe(true)
    const account = await eve.send('https://id.example/account')
    expect([account.status, account.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('/login?'),
    ])
    expect(await eve.authorize({ prompt: 'none' })).toContain('error=login_required')
  })
})

/** Sudhodanan and Paverd, Pre-hijacked accounts (USENIX Security 2022): what an attacker prepares at the address of a victim. */
describe('pre-hijacking', () => {
  const sub = async (p: Place) => (await p.users('default').findByUsername(ANN))?.sub

  it('classic federated merge: a sign-up without the mailbox leaves no account that the victim could be merged with', async () => {
    const p = await place()
    for (let n = 0; n < 3; n += 1) await browserAt(p).ask(ANN)
    await p.deliver()
    expect(await sub(p)).toBeUndefined()
  })

  it('unexpired session: none of the attacker is a session of the victim', async () => {
    const p = await place()
    const eve = browserAt(p)
    await eve.signIn('ada@corp.example')
    await eve.ask(ANN)
    const ann = browserAt(p)
    await ann.press(await linkFor(p, ANN))
    await ann.chooseNewPassword()
    const page = await (await eve.send('https://id.example/account')).text()
    expect(page).toContain('ada@corp.example')
    expect(page).not.toContain(ANN)
  })

  it('trojan identifier: an account with the name, and a way in of the attacker, is never given to the victim', async () => {
    const p = await place()
    const user = await createUser(p.users('default'), { username: ANN }, { now: () => p.clock.now })
    await p.links('default').add(
      {
        issuer: 'https://evil.example',
        subject: 'eve',
        upstream: 'evil',
        sub: user.sub,
        label: 'eve',
        linked_at: 1,
        last_used_at: 1,
      },
      { credential_version: 0, now: p.clock.now },
    )
    await browserAt(p).ask(ANN)
    await p.deliver()
    expect(p.sent.at(-1)?.subject).toContain('You already have an account')
    // A link from before that account.
    const fresh = await place()
    const link = await linkFor(fresh, ANN)
    await createUser(fresh.users('default'), { username: ANN, email: ANN }, { now: () => p.clock.now })
    const b = browserAt(fresh)
    expect((await b.press(link)).status).toBe(409)
    expect(b.cookies.has('__Host-ostiary_recovery')).toBe(false)
  })

  it('unexpired change of address: an account that has got the address as a claim keeps its own name', async () => {
    const p = await place()
    const ada = await p.users('default').findByUsername('ada@corp.example')
    if (!ada) throw new Error('No Ada')
    await p
      .users('default')
      .update(
        { ...ada, claims: { email: ANN, email_verified: false }, updated_at: ada.updated_at + 1 },
        ada.updated_at,
      )
    const ann = browserAt(p)
    await ann.press(await linkFor(p, ANN))
    await ann.chooseNewPassword()
    expect(await sub(p)).not.toBe(ada.sub)
    expect((await browserAt(p).signIn(ANN)).status).toBe(303)
  })

  it('non-verifying provider: whose user has not proved the address has no account with it', async () => {
    const p = await place()
    const eve = browserAt(p)
    await eve.ask(ANN)
    // Eve has no link; a form of the later pages without one leads nowhere.
    expect((await eve.send('https://id.example/login/ticket')).status).toBe(400)
    const ann = browserAt(p)
    await ann.press(await linkFor(p, ANN))
    await ann.chooseNewPassword()
    expect((await browserAt(p).signIn(ANN, EVE_PASSWORD)).status).toBe(422)
    expect((await browserAt(p).signIn(ANN, PASSWORD)).status).toBe(303)
  })
})

describe('what is stored', () => {
  it('is a sealed mail: the address is not in its row', async () => {
    const queue = memoryMailQueue()
    const rows: string[] = []
    const p = await place({ queue: { ...queue, add: async (mail) => void rows.push(JSON.stringify(mail)) } })
    await browserAt(p).ask(ANN)
    expect(rows).toHaveLength(1)
    expect(rows[0]).not.toContain('ann')
  })
})
