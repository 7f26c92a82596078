/** What a person who reads the mails of an account, knows its name, or has a link can and cannot do. */

import { setDisabled, setPassword, type TicketStore, updateUser } from '@ostiary/identity'
import { memoryMailQueue } from '@ostiary/identity/mail'
import { gate } from '@ostiary/test-kit/races/gate'
import { describe, expect, it } from 'vitest'
import {
  browserAt,
  CODE,
  DELAY,
  FLOW,
  lastLink,
  linkAfterDelay,
  linkFor,
  OTHER_CODE,
  type Place,
  passkeyOf,
  place,
  types,
  waitingFor,
  withoutTokens,
} from './_place.js'

const CALLERS = 50
const secretOf = (link: string): string => new URL(link).searchParams.get('t') ?? ''
const statuses = (answers: readonly Response[]): number[] => answers.map(({ status }) => status).sort()
const oneWins = (lost: number): number[] => [303, ...Array.from({ length: CALLERS - 1 }, () => lost)]

/** The answers to one form that many browsers send at once, each with its own token. */
async function atOnce(p: Place, link: string, fields: Readonly<Record<string, string>>): Promise<Response[]> {
  const browsers = Array.from({ length: CALLERS }, () => browserAt(p))
  const tokens = await Promise.all(
    browsers.map(async (b) => /name="csrf_token" value="([^"]*)"/.exec(await b.text(link))?.[1] ?? ''),
  )
  const query = Object.fromEntries(new URL(link).searchParams)
  return Promise.all(
    browsers.map((b, index) => b.post(b.regain, { csrf_token: tokens[index] ?? '', ...query, ...fields })),
  )
}

describe('the page that asks for the name', () => {
  it('answers each name alike, to the last byte, and each costs a look-up and a row', async () => {
    const calls: string[] = []
    const queue = memoryMailQueue()
    const p = await place({
      queue: { ...queue, claim: async () => [] },
      wrap: (tickets) => (realm) => counted(tickets(realm), calls),
    })
    const answers = []
    const names = ['ann', 'bob', 'cem', 'dan', 'off', 'new', 'unknown']
    for (const [index, name] of names.entries()) {
      const b = browserAt(p)
      calls.length = 0
      const answer = await b.ask(name)
      const after = await b.follow(answer)
      answers.push([answer.status, [...answer.headers], withoutTokens(await after.text()), [...calls]])
      expect(await queue.page({ limit: 100 })).toHaveLength(index + 1)
    }
    for (const one of answers) expect(one).toEqual(answers[0])
  })

  it('a mail goes to accounts that can sign in alone', async () => {
    const p = await place()
    for (const name of ['off', 'new', 'unknown', 'ann']) {
      await browserAt(p).ask(name)
      await p.deliver()
    }
    expect(p.sent.map(({ to }) => to)).toEqual(['ann@corp.example'])
  })

  it('three mails in an hour go to one account, and the page does not tell', async () => {
    const p = await place()
    p.clock.now += 3600 - (p.clock.now % 3600)
    for (let n = 0; n < 5; n += 1) {
      const answer = await browserAt(p, { address: `198.51.100.${n}` }).ask('ann')
      expect(answer.headers.get('location')).toBe('https://id.example/login/recover?sent=')
      await p.deliver()
    }
    expect(p.sent).toHaveLength(3)
    expect(types(p).filter((type) => type === 'mail.throttled')).toHaveLength(2)
  })

  it('the host of the request is in no link, and an event has no address, no code and no secret', async () => {
    const p = await place()
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    }
    await browserAt(p).ask('bob', headers)
    await p.deliver()
    const link = lastLink(p, 't')
    const b = browserAt(p)
    const html = await b.text(link)
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? ''
    await b.post(b.regain, { csrf_token, t: secretOf(link), action: 'wait' }, headers)
    p.clock.now += DELAY
    await p.deliver()
    await browserAt(p).useCode(await linkFor(p, 'ann'))
    for (const { text, html } of p.sent) {
      expect(text + html).not.toContain('evil')
      expect(text).toContain('https://id.example/login/regain')
    }
    const told = JSON.stringify(p.events)
    for (const secret of ['@', CODE, secretOf(link), 'regain?']) expect(told).not.toContain(secret)
  })
})

/** Counts the calls of a store. */
const counted = (tickets: TicketStore, calls: string[]): TicketStore =>
  new Proxy(tickets, {
    get(target, name, receiver) {
      const value = Reflect.get(target, name, receiver)
      return (...parameters: unknown[]) => {
        calls.push(String(name))
        return value.apply(target, parameters)
      }
    },
  })

describe('a stolen mailbox', () => {
  it('learns nothing about factors: the page is the same with and without recovery codes', async () => {
    const pages = []
    for (const name of ['ann', 'bob', 'cem']) {
      const p = await place()
      const b = browserAt(p)
      const link = await linkFor(p, name)
      const first = await b.text(link)
      const wrong = await b.useCode(link, '0000-0000-0000-0000')
      const again = await wrong.text()
      pages.push(
        [first, wrong.status, again].map((text) => withoutTokens(String(text)).replaceAll(name, 'X')),
      )
    }
    expect(pages[1]).toEqual(pages[0])
    expect(pages[2]).toEqual(pages[0])
    expect(pages[0]?.[1]).toBe('422')
    expect(pages[0]?.join()).not.toMatch(/Laptop|passkey/i)
  })

  it('cannot guess a code: a few tries are checked, and the link stays good', async () => {
    for (const name of ['ann', 'bob']) {
      const p = await place()
      p.clock.now += 300 - (p.clock.now % 300)
      const link = await linkFor(p, name)
      const tries = []
      for (let n = 0; n < 6; n += 1)
        tries.push((await browserAt(p).useCode(link, `0000-0000-0000-000${n}`)).status)
      expect(tries).toEqual([422, 422, 422, 422, 422, 429])
      const { sub } = await p.user(name)
      const refusals = p.events.filter(({ type }) => type === 'recovery.refused')
      expect(refusals).toEqual([
        ...Array(5).fill(expect.objectContaining({ reason: 'wrong_code', sub })),
        expect.objectContaining({ reason: 'throttled', sub, limit: expect.stringMatching(/^code/) }),
      ])
      expect((await browserAt(p).useCode(link)).status).toBe(429)
      p.clock.now += 300
      expect((await browserAt(p).useCode(link)).status).toBe(name === 'ann' ? 303 : 422)
    }
  })

  it('the link alone gets nowhere before the delay is over, to the second', async () => {
    const p = await place()
    const link = await linkAfterDelay(p, 'bob')
    p.clock.now -= 1
    const b = browserAt(p)
    const early = await b.send(link)
    expect([early.status, await early.text()]).toEqual([409, expect.stringContaining('You get in from')])
    const html = await b.text('/login/regain?c=')
    expect(html).toContain('This link does not work')
    const page = await b.text(await linkFor(p, 'ann'))
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(page)?.[1] ?? ''
    const begin = () => b.post(b.regain, { csrf_token, t: secretOf(link), action: 'begin' })
    expect((await begin()).status).toBe(400)
    p.clock.now += 1
    expect((await begin()).headers.get('location')).toBe(FLOW)
  })

  it('the first link does not begin a recovery, whatever time has passed', async () => {
    const p = await place()
    const link = await linkFor(p, 'bob')
    const b = browserAt(p)
    const html = await b.text(link)
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? ''
    for (const action of ['begin', 'cancel', 'end', ''])
      expect((await b.post(b.regain, { csrf_token, t: secretOf(link), action })).status).toBe(400)
    await b.wait(link)
    p.clock.now += DELAY
    expect((await b.post(b.regain, { csrf_token, t: secretOf(link), action: 'begin' })).status).toBe(400)
  })

  it('sets no password: the link is none of a reset, and none of an operator', async () => {
    const p = await place()
    const first = secretOf(await linkFor(p, 'ann'))
    const last = secretOf(await linkAfterDelay(p, 'bob'))
    for (const t of [first, last])
      for (const path of ['reset', 'ticket'])
        expect((await browserAt(p).send(`/login/${path}?t=${t}`)).status).toBe(400)
    const b = browserAt(p)
    const html = await b.text('/login/recover')
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? ''
    const password = { new_password: 'words of an attacker', new_password_again: 'words of an attacker' }
    expect((await b.post('/login/reset', { csrf_token, t: first, ...password })).status).toBe(400)
    expect((await b.post('/login/ticket', { csrf_token, t: last, action: 'begin' })).status).toBe(400)
    expect((await p.user('ann')).password_hash).toBeNull()
  })

  it('a newer recovery ends the older one, and begins when that would have begun', async () => {
    const p = await place()
    await waitingFor(p, 'bob')
    const begins_at = p.clock.now + DELAY
    p.clock.now += DELAY / 2
    await waitingFor(p, 'bob')
    expect(p.events.filter(({ type }) => type === 'recovery.requested')).toContainEqual(
      expect.objectContaining({ until: begins_at }),
    )
    p.clock.now = begins_at
    const mails = p.sent.length
    await p.deliver()
    // The mails of the older one are not sent; the newer one has a reminder and the link.
    expect(p.sent.slice(mails).map(({ subject }) => subject.split(' – ')[0])).toEqual([
      'A recovery of your account waits',
      'Get back into your account',
    ])
    expect((await browserAt(p).begin(lastLink(p, 't'))).headers.get('location')).toBe(FLOW)
  })

  it('a newer recovery in the last moment tells the owner at once', async () => {
    const p = await place()
    await waitingFor(p, 'bob')
    p.clock.now += DELAY - 60
    await p.deliver()
    const mails = p.sent.length
    const { cancel } = await waitingFor(p, 'bob')
    expect(p.sent.slice(mails).map(({ subject }) => subject.split(' – ')[0])).toEqual([
      'Get back into your account',
      'A recovery of your account waits',
    ])
    expect((await browserAt(p).cancel(cancel)).headers.get('location')).toContain('cancelled')
  })

  it('a recovery after one that was cancelled has the whole delay', async () => {
    const p = await place()
    const { cancel } = await waitingFor(p, 'bob')
    p.clock.now += DELAY - 60
    await browserAt(p).cancel(cancel)
    await waitingFor(p, 'bob')
    const until = p.events.flatMap((event) =>
      event.type === 'recovery.requested' && event.until !== undefined ? [event.until] : [],
    )
    expect(until.at(-1)).toBe(p.clock.now + DELAY)
  })

  it('cannot make the link of the owner worthless: it cancels a newer recovery too', async () => {
    const p = await place()
    const { cancel } = await waitingFor(p, 'bob')
    await waitingFor(p, 'bob')
    await waitingFor(p, 'bob')
    const b = browserAt(p)
    expect((await b.cancel(cancel)).headers.get('location')).toContain('cancelled')
    expect(await p.tickets('default').findOf((await p.user('bob')).sub, 'wait')).toBeNull()
  })

  it('a recovery that begins while the older one is being cancelled has the whole delay', async () => {
    let between: (() => Promise<void>) | null = null
    const p = await place({
      wrap: (tickets) => (realm) => ({
        ...tickets(realm),
        async put(ticket) {
          if (ticket.purpose === 'wait') {
            const held = between
            between = null
            await held?.()
          }
          return tickets(realm).put(ticket)
        },
      }),
    })
    const { cancel } = await waitingFor(p, 'bob')
    p.clock.now += DELAY - 60
    let told = ''
    between = async () => {
      const answer = await browserAt(p).cancel(cancel)
      told = answer.headers.get('location') ?? (await answer.text())
    }
    await waitingFor(p, 'bob')
    expect(told).toContain('?none=')
    const until = p.events.flatMap((event) =>
      event.type === 'recovery.requested' && event.until !== undefined ? [event.until] : [],
    )
    expect(until.at(-1)).toBe(p.clock.now + DELAY)
    const { sub } = await p.user('bob')
    expect(await p.tickets('default').findOf(sub, 'wait')).toMatchObject({
      expires_at: p.clock.now + 2 * DELAY,
    })
  })
})

describe('GET, HEAD and a program that posts to each link use nothing up', () => {
  it.each([
    ['the link of the first mail', linkFor, (p: Place, link: string) => browserAt(p).wait(link)],
    [
      'the link that cancels',
      async (p: Place, name: string) => (await waitingFor(p, name)).cancel,
      (p: Place, link: string) => browserAt(p).cancel(link),
    ],
    ['the link of the last mail', linkAfterDelay, (p: Place, link: string) => browserAt(p).begin(link)],
  ] as const)('%s', async (_, linkOf, press) => {
    const p = await place()
    const link = await linkOf(p, 'bob')
    for (const method of ['GET', 'HEAD', 'GET']) {
      const answer = await browserAt(p).send(link, { method })
      expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
      expect(answer.headers.get('content-security-policy')).not.toContain('script-src')
    }
    const query = Object.fromEntries(new URL(link).searchParams)
    for (const action of ['', 'wait', 'code', 'begin', 'cancel', 'end']) {
      const answer = await browserAt(p).post(link, { ...query, action })
      expect(answer.status).toBeGreaterThanOrEqual(400)
    }
    expect((await press(p, link)).status).toBe(303)
  })

  it('a form of another site changes nothing', async () => {
    const p = await place()
    const link = await linkFor(p, 'ann')
    const b = browserAt(p)
    const html = await b.text(link)
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? ''
    const site = { 'sec-fetch-site': 'cross-site' }
    for (const fields of [{ action: 'code', recovery_code: CODE }, { action: 'wait' }] as Record<
      string,
      string
    >[]) {
      const answer = await b.post(b.regain, { csrf_token, t: secretOf(link), ...fields }, site)
      expect([answer.status, await answer.text()]).toEqual([
        403,
        expect.stringContaining('could not confirm this form'),
      ])
    }
    const { cancel } = await waitingFor(p, 'bob')
    const c = new URL(cancel).searchParams.get('c') ?? ''
    expect((await b.post(b.regain, { csrf_token, c, action: 'cancel' }, site)).status).toBe(403)
    await b.enter(await p.user('bob'))
    await b.post(b.regain, { csrf_token, action: 'end' }, site)
    expect(await p.tickets('default').findOf((await p.user('bob')).sub, 'wait')).not.toBeNull()
    p.clock.now += DELAY
    await p.deliver()
    const last = secretOf(lastLink(p, 't'))
    expect((await b.post(b.regain, { csrf_token, t: last, action: 'begin' }, site)).status).toBe(403)
    expect(types(p)).not.toContain('recovery.started')
    const refused = { type: 'recovery.refused', reason: 'csrf', sub: null }
    expect(p.events.filter(({ type }) => type === 'recovery.refused')).toEqual(
      Array(5).fill(expect.objectContaining(refused)),
    )
    expect(
      (await b.post(b.regain, { csrf_token, t: secretOf(link), action: 'code', recovery_code: CODE })).status,
    ).toBe(400)
  })

  it('a session of another user cancels nothing', async () => {
    const p = await place()
    await waitingFor(p, 'bob')
    const { sub } = await p.user('bob')
    const waits = (await p.tickets('default').findOf(sub, 'wait'))?.ticket_hash ?? ''
    const b = browserAt(p)
    await b.enter(await p.user('dan'))
    const html = await b.text(await linkFor(p, 'ann'))
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? ''
    await b.post(b.regain, { csrf_token, action: 'end', waits })
    expect((await browserAt(p).post(b.regain, { csrf_token, action: 'end', waits })).status).toBe(400)
    expect(await p.tickets('default').findOf(sub, 'wait')).not.toBeNull()
  })
})

describe(`of ${CALLERS} at once, one wins`, () => {
  it('with a recovery code', async () => {
    const p = await place()
    const link = await linkFor(p, 'ann')
    const answers = await atOnce(p, link, { action: 'code', recovery_code: CODE })
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(types(p).filter((type) => type === 'recovery.started')).toHaveLength(1)
  })

  it('with two recovery codes and one link', async () => {
    const held = gate()
    let calls = 0
    const p = await place({
      wrap: (tickets) => (realm) => ({
        ...tickets(realm),
        async take(hash) {
          calls += 1
          if (calls === 2) held.open()
          await held.pass()
          return tickets(realm).take(hash)
        },
      }),
    })
    const link = await linkFor(p, 'ann')
    const first = browserAt(p).useCode(link, CODE)
    await held.reached
    const second = browserAt(p).useCode(link, OTHER_CODE)
    expect(statuses(await Promise.all([first, second]))).toEqual([303, 400])
    expect(types(p).filter((type) => type === 'recovery.started')).toHaveLength(1)
  })

  it('to begin to wait', async () => {
    const p = await place()
    const answers = await atOnce(p, await linkFor(p, 'bob'), { action: 'wait' })
    expect(statuses(answers)).toEqual(oneWins(400))
  })

  it('after the delay', async () => {
    const p = await place()
    const answers = await atOnce(p, await linkAfterDelay(p, 'bob'), { action: 'begin' })
    expect(statuses(answers)).toEqual(oneWins(400))
    expect(types(p).filter((type) => type === 'recovery.started')).toHaveLength(1)
  })

  it('to cancel', async () => {
    const p = await place()
    const { cancel } = await waitingFor(p, 'bob')
    const answers = await atOnce(p, cancel, { action: 'cancel' })
    expect(answers.filter((answer) => answer.headers.get('location')?.includes('cancelled'))).toHaveLength(1)
    expect(types(p).filter((type) => type === 'recovery.cancelled')).toHaveLength(1)
  })

  it('to cancel, and to begin: either', async () => {
    const p = await place()
    const { cancel } = await waitingFor(p, 'bob')
    p.clock.now += DELAY
    await p.deliver()
    const link = lastLink(p, 't')
    await Promise.all([browserAt(p).begin(link), browserAt(p).cancel(cancel)])
    const ends = types(p).filter((type) => type === 'recovery.started' || type === 'recovery.cancelled')
    expect(ends).toHaveLength(1)
  })
})

describe('after', () => {
  const CHANGES: [string, (p: Place, name: string) => Promise<unknown>][] = [
    ['a newer link', async (p, name) => linkFor(p, name)],
    [
      'a new password',
      async (p, name) =>
        setPassword(p.users('default'), { sub: (await p.user(name)).sub, password: 'another password' }),
    ],
    [
      'another passkey',
      async (p, name) => {
        const { sub, credential_version } = await p.user(name)
        const factor = {
          ...passkeyOf(sub, p.clock.now),
          factor_id: `new${passkeyOf(sub, 0).factor_id.slice(-2)}`,
        }
        return p.factors('default').change({ sub, add: [factor] }, { credential_version, now: p.clock.now })
      },
    ],
    [
      'another address',
      async (p, name) =>
        updateUser(p.users('default'), {
          sub: (await p.user(name)).sub,
          change: ({ claims }) => ({ claims: { ...claims, email: 'eve@evil.example' } }),
        }),
    ],
    [
      'it was disabled',
      async (p, name) => setDisabled(p.users('default'), { sub: (await p.user(name)).sub, disabled: true }),
    ],
    [
      'it was disabled and enabled',
      async (p, name) => {
        const { sub } = await p.user(name)
        for (const disabled of [true, false]) await setDisabled(p.users('default'), { sub, disabled })
      },
    ],
    [
      'its user was deleted, and another one has the name',
      async (p, name) => {
        const old = await p.user(name)
        await p.users('default').delete(old.sub)
        await p.users('default').create({ ...old, sub: 'another' })
      },
    ],
  ]

  it.each(CHANGES)('%s, the first link is refused', async (_, change) => {
    const p = await place()
    const link = await linkFor(p, 'ann')
    const b = browserAt(p)
    const html = await b.text(link)
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? ''
    expect(await change(p, 'ann')).not.toBe(false)
    const answers = [await b.send(link)]
    for (const action of ['code', 'wait'])
      answers.push(await b.post(b.regain, { csrf_token, t: secretOf(link), action, recovery_code: CODE }))
    expect(statuses(answers)).toEqual([400, 400, 400])
    expect(types(p)).not.toContain('recovery.started')
  })

  it.each(CHANGES.slice(1))(
    '%s, a recovery that waits does not begin, and its mails are not sent',
    async (_, change) => {
      const p = await place()
      await waitingFor(p, 'ann')
      expect(await change(p, 'ann')).not.toBe(false)
      const mails = p.sent.length
      p.clock.now += DELAY
      await p.deliver()
      expect(p.sent).toHaveLength(mails)
    },
  )

  it.each(CHANGES.slice(1))('%s, the link of the last mail is refused', async (_, change) => {
    const p = await place()
    const link = await linkAfterDelay(p, 'ann')
    const b = browserAt(p)
    const html = await b.text(link)
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? ''
    await change(p, 'ann')
    expect((await b.post(b.regain, { csrf_token, t: secretOf(link), action: 'begin' })).status).toBe(400)
    expect(types(p)).not.toContain('recovery.started')
  })

  it.each([
    [86_399, 200],
    [86_400, 400],
  ])('%i seconds, the link of the last mail: %i', async (seconds, status) => {
    const p = await place()
    const link = await linkAfterDelay(p, 'bob')
    p.clock.now += seconds
    expect((await browserAt(p).send(link)).status).toBe(status)
  })

  it.each([
    [1799, 200],
    [1800, 400],
  ])('%i seconds, the first link: %i', async (seconds, status) => {
    const p = await place()
    const link = await linkFor(p, 'bob')
    p.clock.now += seconds
    expect((await browserAt(p).send(link)).status).toBe(status)
  })
})

describe('a link', () => {
  it('of another realm, of another use, changed, and none at all are the same page', async () => {
    const p = await place({ realms: ['one', 'two'] })
    const t = secretOf(await linkFor(p, 'ann', { realm: 'one' }))
    const b = browserAt(p, { realm: 'two' })
    const { cancel } = await waitingInRealm(p, 'one')
    const c = new URL(cancel).searchParams.get('c') ?? ''
    const pages = []
    for (const query of [
      `t=${t}`,
      `t=${t.slice(1)}`,
      't=',
      `t=${'x'.repeat(500)}`,
      `c=${c}`,
      `c=${t}`,
      `next=${c}`,
      'next=https://evil.example',
      '',
    ])
      pages.push(await (await b.send(`${b.regain}?${query}`)).text())
    expect(new Set(pages).size).toBe(1)
    expect(pages[0]).toContain('This link does not work')
  })

  it('that cancels does not lead to another site', async () => {
    const p = await place()
    const b = browserAt(p)
    await b.enter(await p.user('bob'))
    const html = await b.text(await linkFor(p, 'ann'))
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? ''
    const answer = await b.post(b.regain, { csrf_token, action: 'end', next: 'https://evil.example' })
    expect(answer.headers.get('location')).toBe('https://id.example/account')
  })

  it('markup in a name is text, and a line end changes no header', async () => {
    const p = await place()
    const { sub } = await p.user('bob')
    await updateUser(p.users('default'), { sub, change: () => ({ username: '<b>bob</b>' }) })
    await waitingFor(p, '<b>bob</b>')
    p.clock.now += DELAY
    await p.deliver()
    const html = await browserAt(p).text(lastLink(p, 't'))
    expect(html).toContain('<bdi>&lt;b&gt;bob&lt;/b&gt;</bdi>')
    for (const { subject, html, to } of p.sent) {
      expect(subject + to).not.toMatch(/\p{Cc}/u)
      expect(html).not.toContain('<b>bob')
    }
  })
})

async function waitingInRealm(p: Place, realm: string): Promise<{ cancel: string }> {
  await browserAt(p, { realm }).wait(await linkFor(p, 'bob', { realm }))
  await p.deliver()
  return { cancel: lastLink(p, 'c') }
}
