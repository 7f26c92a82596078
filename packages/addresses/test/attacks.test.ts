/** What a person can and cannot do who has a session, a password, a link or a mailbox. */

import {
  createUser,
  setDisabled,
  setPassword,
  type TicketStore,
  type UserStore,
  updateUser,
} from '@ostiary/identity'
import { memoryMailQueue } from '@ostiary/identity/mail'
import { describe, expect, it } from 'vitest'
import {
  asked,
  browserAt,
  CODE,
  changed,
  HASH,
  linkTo,
  PAGE,
  PASSWORD,
  type Place,
  place,
  signedIn,
  told,
  types,
  withoutTokens,
} from './_place.js'

const CALLERS = 50
const HOME = 'ann@home.example'
const CORP = 'ann@corp.example'
const secretOf = (link: string): string => new URL(link).searchParams.get('t') ?? ''
const claimsOf = async (p: Place, username: string) => (await p.user(username)).claims
const UNCHANGED = { email: CORP, email_verified: true }

/** A form with the token of a page that was open before: what it does is decided when it is sent. */
async function held(p: Place, link: string): Promise<() => Promise<Response>> {
  const b = browserAt(p)
  const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(await b.text(link))?.[1] ?? ''
  return () => b.post(PAGE, { csrf_token, t: secretOf(link) })
}

describe('who knows the password of an account with a second factor', () => {
  it.each([
    ['by the form', {}],
    ['by a replayed form with the password', { proof: 'password', current_password: PASSWORD }],
    ['by a form that names a passkey', { proof: 'passkey', passkey: '{}', passkey_ticket: 'x' }],
    ['by a form with a wrong code', { proof: 'recovery', current_password: PASSWORD, recovery_code: '1' }],
  ])('is asked for the second factor: %s', async (_, fields) => {
    const p = await place()
    const b = await signedIn(p, 'fay')
    const answer = await b.act('change_address', { address: 'evil@evil.example', ...fields })
    expect(answer.headers.get('location')).toBeNull()
    expect(await answer.text()).toContain('Confirm that it is you')
    await p.deliver()
    expect(p.sent).toEqual([])
    expect(await p.tickets('default').list({ purpose: 'verify', limit: 9 })).toEqual([])
  })

  it('by the address of the page, without a form', async () => {
    const p = await place()
    const b = await signedIn(p, 'fay')
    await b.text('/account?action=change_address&address=evil@evil.example')
    await b.text(`${PAGE}?action=change_address&address=evil@evil.example&sent`)
    await p.deliver()
    expect(p.sent).toEqual([])
  })

  it('with the second factor the form goes on with what was typed', async () => {
    const p = await place()
    const b = await signedIn(p, 'fay')
    const page = await (await b.change('fay@home.example')).text()
    expect(page).toContain('value="fay@home.example"')
    const proof = { proof: 'recovery', current_password: PASSWORD, recovery_code: CODE }
    const answer = await b.act('change_address', { address: 'fay@home.example', ...proof })
    expect(answer.headers.get('location')).toBe(`${PAGE}?sent`)
  })

  it('where the realm has passwords alone, the user has to sign in again', async () => {
    const p = await place({ has_factors: false })
    const b = await signedIn(p, 'ann')
    expect((await b.change(HOME)).status).toBe(303)
    p.clock.now += 301
    const answer = await b.change('ann@other.example')
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('sign in again')])
    expect(p.events.at(-1)).toMatchObject({ type: 'account.refused', reason: 'not_fresh' })
    await p.deliver()
    expect(p.sent).toHaveLength(1)
  })

  it('an old session of a password is asked for it; so is one that sends a link to its own address', async () => {
    const p = await place()
    for (const name of ['ann', 'una']) {
      const b = await signedIn(p, name)
      p.clock.now += 301
      const answer = await (name === 'ann' ? b.change(HOME) : b.act('verify_address'))
      expect(answer.headers.get('location')).toBeNull()
    }
    await p.deliver()
    expect(p.sent).toEqual([])
  })
})

describe('a link in a mail', () => {
  it('is not used up by GET, HEAD and a prefetch', async () => {
    const p = await place()
    const link = await asked(p, 'ann', HOME)
    const b = browserAt(p)
    for (const init of [{}, { method: 'HEAD' }, { headers: { 'sec-purpose': 'prefetch' } }, {}])
      expect((await b.send(link, init)).status).toBe(200)
    expect(await claimsOf(p, 'ann')).toMatchObject(UNCHANGED)
    expect((await b.press(link)).status).toBe(303)
    await p.deliver()
    const undo = linkTo(p, CORP)
    for (const init of [{}, { method: 'HEAD' }]) expect((await b.send(undo, init)).status).toBe(200)
    expect(await claimsOf(p, 'ann')).toMatchObject({ email: HOME })
    expect((await b.press(undo)).status).toBe(303)
  })

  it.each(['verified', 'changed', 'undone'])('of 50 parallel forms, one counts: %s', async (what) => {
    const p = await place()
    if (what === 'verified') await (await signedIn(p, 'una')).act('verify_address')
    if (what === 'changed') await asked(p, 'ann', HOME)
    if (what === 'undone') await changed(p, 'ann', HOME)
    await p.deliver()
    const link = linkTo(p, { verified: 'Una@corp.example', changed: HOME, undone: CORP }[what] ?? '')
    const forms = await Promise.all(Array.from({ length: CALLERS }, () => held(p, link)))
    const answers = await Promise.all(forms.map((form) => form()))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([303, ...Array.from({ length: CALLERS - 1 }, () => 400)])
    expect(told(p).filter((one) => one === what)).toHaveLength(1)
  })

  it.each<[string, (p: Place, sub: string) => Promise<unknown>]>([
    ['a newer link', (p) => asked(p, 'ann', 'ann@other.example')],
    [
      'another password',
      (p, sub) => setPassword(p.users('default'), { sub, password: 'a new password' }, { passwords: HASH }),
    ],
    [
      'another address, of an operator',
      (p, sub) =>
        updateUser(p.users('default'), { sub, change: () => ({ claims: { email: 'ann@new.example' } }) }),
    ],
    ['a disabled account', (p, sub) => setDisabled(p.users('default'), { sub, disabled: true })],
    [
      'a disabled account that is enabled again',
      async (p, sub) => {
        await setDisabled(p.users('default'), { sub, disabled: true })
        await setDisabled(p.users('default'), { sub, disabled: false })
      },
    ],
    [
      'a deleted account, whose name is used again',
      async (p, sub) => {
        await p.users('default').delete(sub)
        await createUser(p.users('default'), { username: 'ann', email: CORP, email_verified: true })
      },
    ],
  ])('does not work after: %s', async (_, happen) => {
    const p = await place()
    const link = await asked(p, 'ann', HOME)
    const form = await held(p, link)
    await happen(p, (await p.user('ann')).sub)
    expect((await browserAt(p).send(link)).status).toBe(400)
    expect((await form()).status).toBe(400)
    expect((await claimsOf(p, 'ann')).email).not.toBe(HOME)
  })

  it('needs the token of a page of this browser, and stays good without it', async () => {
    const p = await place()
    const link = await asked(p, 'ann', HOME)
    const form = await held(p, link)
    const b = browserAt(p)
    for (const csrf_token of [
      '',
      'x',
      /csrf_token" value="([^"]*)/.exec(await browserAt(p).text(link))?.[1] ?? '',
    ])
      expect((await b.post(PAGE, { csrf_token, t: secretOf(link) })).status).toBe(403)
    expect(await claimsOf(p, 'ann')).toMatchObject(UNCHANGED)
    expect((await form()).status).toBe(303)
  })

  it('that is cut, changed or made by another key is not opened', async () => {
    const p = await place()
    const link = await asked(p, 'ann', HOME)
    const t = secretOf(link)
    const other = secretOf(
      await asked(
        await place({ identity: { secret: 'another secret, of 32 characters!' } }),
        'ann',
        HOME,
      ).catch(() => `${PAGE}?t=x`),
    )
    for (const one of [
      '',
      'x',
      t.slice(0, -1),
      `${t}A`,
      t.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      other,
    ])
      expect((await browserAt(p).send(`${PAGE}?${new URLSearchParams({ t: one })}`)).status).toBe(400)
  })

  it('has the issuer, whatever the host of the request is', async () => {
    const p = await place()
    const b = await signedIn(p, 'ann')
    const page = await b.text('/account')
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(page)?.[1] ?? ''
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    }
    await b.post('/account', { csrf_token, action: 'change_address', address: HOME }, headers)
    await p.deliver()
    expect(p.sent[0]?.text).toContain(`${PAGE}?t=`)
    expect(JSON.stringify(p.sent)).not.toContain('evil')
  })

  it('is not used in a browser of another user, who would give the own address to a stranger', async () => {
    const p = await place()
    const link = await asked(p, 'ann', 'bob@home.example')
    const bob = browserAt(p)
    const form = /name="csrf_token" value="([^"]*)"/.exec(await bob.text(link))?.[1] ?? ''
    await bob.enter(await p.user('bob@corp.example'))
    const page = await bob.send(link)
    expect([page.status, await page.text()]).toEqual([409, expect.stringContaining('bob@corp.example')])
    expect((await bob.post(PAGE, { csrf_token: form, t: secretOf(link) })).status).toBe(409)
    expect(await claimsOf(p, 'ann')).toMatchObject(UNCHANGED)
    expect(told(p)).toContain('refused other_user')
  })

  it('a name with markup is escaped, and is not in the mail to a stranger', async () => {
    const p = await place()
    const name = '<b>Your account is locked, call 555</b>'
    await createUser(p.users('default'), { username: name, email: CORP, email_verified: true })
    const link = await asked(p, name.toLowerCase(), 'victim@home.example')
    expect(await browserAt(p).text(link)).toContain('&lt;b&gt;Your account')
    expect(p.sent[0]?.text).not.toContain('555')
  })
})

describe('which addresses have an account', () => {
  /** Counts the calls of a store. */
  const counted = <Store extends object>(store: Store, calls: string[]): Store =>
    new Proxy(store, {
      get(target, name, receiver) {
        const value: unknown = Reflect.get(target, name, receiver)
        return (...parameters: unknown[]) => {
          calls.push(String(name))
          return (value as (...all: unknown[]) => unknown).apply(target, parameters)
        }
      },
    })

  it.each(['ann', 'mia@corp.example'])(
    'is not told to %s: the same bytes and the same calls',
    async (who) => {
      const calls: string[] = []
      const queue = memoryMailQueue()
      const p = await place({
        queue: { ...queue, claim: async () => [] },
        tickets: (tickets) => (realm) => counted<TicketStore>(tickets(realm), calls),
        users: (users) => (realm) => counted<UserStore>(users(realm), calls),
      })
      const answers = []
      for (const address of ['free@corp.example', 'bob@corp.example', 'una@corp.example']) {
        const b = await signedIn(p, who)
        const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(await b.text('/account'))?.[1] ?? ''
        calls.length = 0
        const answer = await b.post('/account', { csrf_token, action: 'change_address', address })
        const after = await b.text(answer.headers.get('location') ?? '')
        answers.push([answer.status, [...answer.headers], withoutTokens(after), [...calls]])
      }
      for (const one of answers) expect(one).toEqual(answers[0])
      expect(await queue.page({ limit: 9 })).toHaveLength(3)
    },
  )

  it('the mail to an address that is a username says that there is an account, and has no link for the change', async () => {
    const p = await place()
    const b = await signedIn(p, 'mia@corp.example')
    await b.change('bob@corp.example')
    await p.deliver()
    const [mail] = p.sent
    expect([mail?.to, mail?.subject]).toEqual([
      'bob@corp.example',
      'There is an account with this address – id.example',
    ])
    expect(JSON.stringify(mail)).not.toContain('/login/address')
  })

  it('a name that is taken while the link waits: nothing changes, and the page says so', async () => {
    const p = await place()
    const link = await asked(p, 'mia@corp.example', 'new@home.example')
    await createUser(p.users('default'), { username: 'NEW@home.example' })
    const answer = await browserAt(p).press(link)
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('another account')])
    expect(await claimsOf(p, 'mia@corp.example')).toMatchObject({ email: 'mia@corp.example' })
    expect(told(p)).toEqual(['requested', 'refused name_taken'])
    expect(types(p)).not.toContain('mail.failed')
  })
})

describe('mails', () => {
  it.each([
    'no address',
    'a@b@c.example',
    '<a@b.example>',
    'a@b.example, c@d.example',
    'a@b.example\r\nBcc: c@d.example',
    'a@b.example\nSubject: x',
    '"a b"@c.example',
    'a\u0000@b.example',
    'a\u200b@b.example',
    'a@b..example',
    `${'a'.repeat(250)}@b.example`,
    '',
  ])('go to one plain address: %j', async (address) => {
    const p = await place()
    const answer = await (await signedIn(p, 'ann')).change(address)
    expect(answer.status).toBe(422)
    await p.deliver()
    expect(p.sent).toEqual([])
    expect(p.events.at(-1)).toMatchObject({ type: 'account.refused', reason: 'bad_address' })
  })

  it('three in an hour go to one address, from all accounts, and the page does not tell', async () => {
    const p = await place()
    for (const [index, name] of ['ann', 'una', 'nil', 'mia@corp.example'].entries()) {
      const b = await signedIn(p, name, { address: `198.51.100.${index}` })
      expect((await b.change('victim@home.example')).headers.get('location')).toBe(`${PAGE}?sent`)
      await p.deliver()
    }
    expect(p.sent).toHaveLength(3)
    expect(p.events.at(-1)).toMatchObject({ type: 'mail.throttled', mail: 'address', limit: 'mail_account' })
  })

  it('five in an hour are asked for by one account, and ten from one network address', async () => {
    const p = await place()
    const limits: number[] = []
    for (let n = 0; n < 6; n += 1) {
      const b = await signedIn(p, 'ann', { address: `198.51.100.${n}` })
      limits.push((await b.change(`victim${n}@home.example`)).status)
    }
    expect(limits).toEqual([303, 303, 303, 303, 303, 429])
    expect(p.events.at(-1)).toMatchObject({ type: 'account.refused', reason: 'throttled' })
    p.clock.now += 3599
    expect((await (await signedIn(p, 'ann')).change('victim@home.example')).status).toBe(429)
    p.clock.now += 1
    expect((await (await signedIn(p, 'ann')).change('victim@home.example')).status).toBe(303)
    await p.deliver()
    p.sent.length = 0
    for (const [index, name] of ['una', 'nil', 'mia@corp.example'].entries())
      for (let n = 0; n < 4; n += 1) {
        const b = await signedIn(p, name, { address: '192.0.2.1' })
        await b.change(`victim${index}.${n}@home.example`)
      }
    await p.deliver()
    expect(p.sent).toHaveLength(10)
  })

  it('a link that a limit stops does not end the one before', async () => {
    const p = await place()
    const link = await asked(p, 'ann', HOME)
    const b = await signedIn(p, 'ann', { address: '192.0.2.1' })
    const others = await signedIn(p, 'nil', { address: '192.0.2.2' })
    for (let n = 0; n < 3; n += 1) await others.change('victim@home.example')
    await b.change('victim@home.example')
    expect((await browserAt(p).press(link)).status).toBe(303)
  })

  it('the former address is told, even when all limits of it are used up', async () => {
    const p = await place()
    const link = await asked(p, 'ann', HOME)
    for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'])
      await browserAt(p, { address }).forget(CORP)
    expect(p.events.at(-1)).toMatchObject({ type: 'mail.throttled', limit: 'mail_account' })
    await p.deliver()
    p.sent.length = 0
    await browserAt(p).press(link)
    await p.deliver()
    expect(p.sent.map(({ to, subject }) => [to, subject])).toEqual([
      [CORP, 'Your email address was changed – id.example'],
    ])
    await browserAt(p).press(linkTo(p, CORP))
    await p.deliver()
    expect(p.sent.map(({ to }) => to).sort()).toEqual([CORP, CORP, HOME])
  })

  it('no event has an address or a secret', async () => {
    const p = await place()
    await changed(p, 'ann', HOME)
    await browserAt(p).press(linkTo(p, CORP))
    await p.deliver()
    const events = JSON.stringify(p.events)
    for (const secret of ['@', 'address?', 'login']) expect(events).not.toContain(secret)
    const sub = (await p.user('ann')).sub
    const mails = p.events.filter(({ type }) => type === 'mail.sent')
    expect(mails).toHaveLength(4)
    for (const event of mails) expect(event).toMatchObject({ mail: 'address', sub })
  })
})

describe('who has taken over an account and changes its address', () => {
  it('cannot end the undo of the owner: with a new password, without factors, with a second and a third change', async () => {
    const p = await place()
    const { sub } = await p.user('ann')
    await changed(p, 'ann', 'evil@evil.example')
    const undo = linkTo(p, CORP)
    await setPassword(p.users('default'), { sub, password: 'of the attacker' }, { passwords: HASH })
    for (const address of ['evil2@evil.example', 'evil3@evil.example']) {
      p.clock.now += 86_400
      await changed(p, 'ann', address)
    }
    const pending = await asked(p, 'ann', 'evil4@evil.example')
    const evil = browserAt(p)
    expect((await evil.signIn('ann', 'of the attacker')).status).toBe(303)
    expect((await evil.send('/account')).status).toBe(200)
    expect((await browserAt(p).press(undo)).status).toBe(303)
    expect(await claimsOf(p, 'ann')).toMatchObject(UNCHANGED)
    const { sessions, grants: all } = await p.provider.manage('default')
    expect([await sessions.list(sub), await all.list(sub)]).toEqual([[], []])
    expect((await evil.send('/account')).status).toBe(303)
    expect((await browserAt(p).send(pending)).status).toBe(400)
  })

  it('the former mailbox does not learn the new address, which is the username too', async () => {
    const p = await place()
    await changed(p, 'mia@corp.example', 'mia@home.example')
    const undo = linkTo(p, 'mia@corp.example')
    const b = browserAt(p)
    const page = await b.text(undo)
    expect(page).toContain('<bdi>mia@corp.example</bdi>')
    await b.press(undo)
    await p.deliver()
    const mails = p.sent.filter(({ to }) => to === 'mia@corp.example')
    expect(mails).toHaveLength(2)
    for (const text of [page, await b.text(`${PAGE}?undone`), ...mails.map((mail) => JSON.stringify(mail))])
      expect(text).not.toContain('home.example')
  })

  it('gets no undo of the own: the address between is told without a link', async () => {
    const p = await place()
    await changed(p, 'ann', 'evil@evil.example')
    p.sent.length = 0
    await changed(p, 'ann', 'evil2@evil.example')
    const notice = p.sent.find(({ to }) => to === 'evil@evil.example')
    expect(notice?.subject).toContain('was changed')
    expect(notice?.text).not.toContain('/login/address')
  })

  it('cannot make the undo useless with an address that is a username', async () => {
    const p = await place()
    await changed(p, 'mia@corp.example', 'evil@evil.example')
    const undo = linkTo(p, 'mia@corp.example')
    const link = await asked(p, 'evil@evil.example', 'evil2@evil.example')
    await createUser(p.users('default'), { username: 'evil2@evil.example' })
    expect((await browserAt(p).press(link)).status).toBe(409)
    expect((await browserAt(p).press(undo)).status).toBe(303)
    expect(await claimsOf(p, 'mia@corp.example')).toMatchObject({ email: 'mia@corp.example' })
  })

  it('an undo that was used does not work for a later change, which has one of its own', async () => {
    const p = await place()
    await changed(p, 'ann', HOME)
    const first = linkTo(p, CORP)
    await browserAt(p).press(first)
    p.clock.now += 60
    await changed(p, 'ann', HOME)
    const second = linkTo(p, CORP)
    expect(second).not.toBe(first)
    expect((await browserAt(p).send(first)).status).toBe(400)
    expect((await browserAt(p).press(second)).status).toBe(303)
  })

  it('ends what waits, also when the owner has changed the address back already', async () => {
    const p = await place()
    await changed(p, 'ann', 'evil@evil.example')
    const undo = linkTo(p, CORP)
    await changed(p, 'ann', CORP)
    const pending = await asked(p, 'ann', 'evil@evil.example')
    expect((await browserAt(p).press(undo)).status).toBe(303)
    expect((await browserAt(p).send(pending)).status).toBe(400)
  })

  it('a change to the address that the account has is none, and leaves the next change to be undone', async () => {
    const p = await place()
    await changed(p, 'ann', CORP)
    expect(told(p)).toEqual(['requested', 'verified'])
    await changed(p, 'ann', 'evil@evil.example')
    expect((await browserAt(p).press(linkTo(p, CORP))).status).toBe(303)
    expect(await claimsOf(p, 'ann')).toMatchObject(UNCHANGED)
  })

  it('an operator who sets another address ends the undo', async () => {
    const p = await place()
    await changed(p, 'ann', HOME)
    const { sub } = await p.user('ann')
    const change = () => ({ claims: { email: 'ann@new.example', email_verified: true } })
    const form = await held(p, linkTo(p, CORP))
    await updateUser(p.users('default'), { sub, change })
    expect((await form()).status).toBe(400)
    expect(await claimsOf(p, 'ann')).toMatchObject({ email: 'ann@new.example' })
    p.clock.now += 60
    await changed(p, 'ann', 'evil@evil.example')
    expect((await browserAt(p).press(linkTo(p, 'ann@new.example'))).status).toBe(303)
    expect(await claimsOf(p, 'ann')).toMatchObject({ email: 'ann@new.example' })
  })
})

describe('pre-hijacking', () => {
  it('an unexpired change: it was begun before the owner set a new password, and ends with it', async () => {
    const p = await place()
    const link = await asked(p, 'ann', 'evil@evil.example')
    const form = await held(p, link)
    const victim = browserAt(p)
    await victim.forget('ann')
    await p.deliver()
    expect((await victim.reset(linkTo(p, CORP), 'seven words that ann has chosen')).status).toBe(303)
    expect((await form()).status).toBe(400)
    expect(await claimsOf(p, 'ann')).toMatchObject(UNCHANGED)
    expect(await p.tickets('default').list({ purpose: 'undo', limit: 9 })).toEqual([])
  })

  it('a change to the address of a person who gets an account later: it is an account of its own', async () => {
    const p = await place()
    const link = await asked(p, 'mia@corp.example', 'victim@home.example')
    const victim = await createUser(p.users('default'), {
      username: 'victim@home.example',
      email: 'victim@home.example',
      email_verified: true,
    })
    const b = browserAt(p)
    await b.enter(victim)
    expect((await b.send(link)).status).toBe(409)
    const elsewhere = await browserAt(p).press(link)
    expect(elsewhere.status).toBe(409)
    expect(await claimsOf(p, 'mia@corp.example')).toMatchObject({ email: 'mia@corp.example' })
    expect(await p.user('victim@home.example')).toMatchObject({ sub: victim.sub })
  })
})

describe('at the same moment', () => {
  /** Runs this before the next write of a user. */
  function beforeWrite(p: { happen: (() => Promise<unknown>) | null }) {
    return (users: (realm: string) => UserStore) => (realm: string) => {
      const store = users(realm)
      return {
        ...store,
        async update(...write: Parameters<UserStore['update']>) {
          const { happen } = p
          p.happen = null
          await happen?.()
          return store.update(...write)
        },
      }
    }
  }

  it('a new password: the address stays', async () => {
    const hook: { happen: (() => Promise<unknown>) | null } = { happen: null }
    const p = await place({ users: beforeWrite(hook) })
    const { sub } = await p.user('ann')
    const link = await asked(p, 'ann', HOME)
    hook.happen = () =>
      setPassword(p.users('default'), { sub, password: 'a new password' }, { passwords: HASH })
    expect((await browserAt(p).press(link)).status).toBe(400)
    expect(await claimsOf(p, 'ann')).toMatchObject(UNCHANGED)
  })

  it('a first change and a further one right after it: the undo of the first works, and the further one has none', async () => {
    let happen: (() => Promise<unknown>) | null = null
    const p = await place({
      users: (users) => (realm) => ({
        ...users(realm),
        async update(...write) {
          const is_written = await users(realm).update(...write)
          const next = happen
          happen = null
          await next?.()
          return is_written
        },
      }),
    })
    const link = await asked(p, 'ann', 'evil@evil.example')
    happen = () => changed(p, 'ann', 'evil2@evil.example')
    expect((await browserAt(p).press(link)).status).toBe(303)
    await p.deliver()
    expect((await claimsOf(p, 'ann')).email).toBe('evil2@evil.example')
    const between = p.sent.filter(({ to }) => to === 'evil@evil.example').map(({ text }) => text)
    expect(
      between.filter((text) => text.includes('was changed') || text.includes('another email')),
    ).toHaveLength(1)
    expect(between.at(-1)).not.toContain('/login/address')
    expect((await browserAt(p).press(linkTo(p, CORP))).status).toBe(303)
    expect(await claimsOf(p, 'ann')).toMatchObject(UNCHANGED)
  })

  it('an undo and a further change of the attacker: the undo counts, and later ones do not', async () => {
    const hook: { happen: (() => Promise<unknown>) | null } = { happen: null }
    const p = await place({ users: beforeWrite(hook) })
    await changed(p, 'ann', 'evil@evil.example')
    const undo = linkTo(p, CORP)
    const link = await asked(p, 'ann', 'evil2@evil.example')
    hook.happen = () => browserAt(p).press(link)
    expect((await browserAt(p).press(undo)).status).toBe(303)
    expect(await claimsOf(p, 'ann')).toMatchObject(UNCHANGED)
    await p.deliver()
    // The attacker's mail of that moment has a link, which is of another address than the account has now.
    const own = p.sent.filter(({ to, text }) => to === 'evil@evil.example' && text.includes('/login/address'))
    for (const { text } of own) {
      const [url] = /https:\/\/\S+\?t=\S+/.exec(text) ?? []
      expect((await browserAt(p).send(url ?? '')).status).toBe(400)
    }
    expect(await claimsOf(p, 'ann')).toMatchObject(UNCHANGED)
  })

  it.each([
    [2, 303],
    [3, 400],
  ])('%i further changes while the undo begins: %i, and then it works', async (changes, status) => {
    let left = 0
    const p = await place({
      tickets: (tickets) => (realm) => ({
        ...tickets(realm),
        async take(hash) {
          const ticket = await tickets(realm).find(hash)
          if (ticket?.purpose === 'undo' && left > 0) {
            left -= 1
            await changed(p, 'ann', `evil${left}@evil.example`)
          }
          return tickets(realm).take(hash)
        },
      }),
    })
    await changed(p, 'ann', 'evil@evil.example')
    const undo = linkTo(p, CORP)
    left = changes
    expect((await browserAt(p).press(undo)).status).toBe(status)
    if (status === 400) expect((await browserAt(p).press(undo)).status).toBe(303)
    expect(await claimsOf(p, 'ann')).toMatchObject(UNCHANGED)
  })

  it('an account that is changed all the time: the undo fails, and its link stays good', async () => {
    const hook: { happen: (() => Promise<unknown>) | null } = { happen: null }
    const p = await place({ users: beforeWrite(hook) })
    await changed(p, 'ann', 'evil@evil.example')
    const undo = linkTo(p, CORP)
    const { sub } = await p.user('ann')
    let changes = 0
    const disturb = async () => {
      changes += 1
      await updateUser(p.users('default'), { sub, change: () => ({ groups: [`group ${changes}`] }) })
      hook.happen = changes < 20 ? disturb : null
    }
    hook.happen = disturb
    expect((await browserAt(p).press(undo)).status).toBe(400)
    hook.happen = null
    expect((await browserAt(p).press(undo)).status).toBe(303)
    expect(await claimsOf(p, 'ann')).toMatchObject(UNCHANGED)
  })
})
