/** Queued mails are sent: again after a failure, each to its user, and to none who has gone. */

import { eventually } from '@ostiary/test-kit/eventually'
import { describe, expect, it } from 'vitest'
import { memoryMailQueue } from '../src/mail/index.js'
import { addMail, MAIL_USE, openMail } from '../src/outbox/mail-content.js'
import { createSealer } from '../src/web/sealed.js'
import { subOf } from './_account.js'
import {
  ask,
  askWith,
  giveAddress,
  lastLink,
  type MailWorld,
  mailWorld,
  refusal,
  resetWith,
} from './_mail.js'
import { browser, SECRET } from './_setup.js'

const failed = ({ events }: MailWorld) =>
  events.flatMap((event) => (event.type === 'mail.failed' ? [event] : []))

/** Fails so often, each time as soon as the next attempt is due. Returns the seconds after the request at which it was tried. */
async function tries(s: MailWorld): Promise<number[]> {
  const at: number[] = []
  const start = s.clock.now
  await askWith(s, browser(s))
  await s.identity.mail?.settled()
  for (;;) {
    at.push(s.clock.now - start)
    const [mail] = await s.queue.page({ limit: 1 })
    if (mail === undefined) return at
    s.clock.now = mail.next_attempt_at - 1
    await s.deliver()
    expect((await s.queue.page({ limit: 1 }))[0]?.attempts).toBe(mail.attempts)
    s.clock.now += 1
    await s.deliver()
  }
}

describe('a mail that the server does not take', () => {
  it('is tried after 10, 60, 300 and 900 seconds, and then each hour of a day', async () => {
    const s = await mailWorld()
    s.failures.push(...Array.from({ length: 100 }, () => refusal('smtp_451')))
    const hours = Array.from({ length: 24 }, (_, hour) => (hour + 1) * 3600)
    expect(await tries(s)).toEqual([0, 10, 60, 300, 900, ...hours])
    expect(failed(s)).toHaveLength(29)
    expect(failed(s).at(0)).toMatchObject({
      mail: 'reset',
      reason: 'smtp_451',
      attempts: 1,
      next_attempt_at: s.clock.now - 86_400 + 10,
    })
    expect(failed(s).at(-1)).toMatchObject({ attempts: 29, next_attempt_at: null })
  })

  it('is tried after an outage of hours at intervals of ten seconds at least', async () => {
    const s = await mailWorld()
    s.failures.push(refusal('smtp_451'), refusal('smtp_451'))
    await ask(s)
    s.clock.now += 7200
    await s.deliver()
    expect((await s.queue.page({ limit: 1 }))[0]?.next_attempt_at).toBe(s.clock.now + 10)
  })

  it('and never will take is given up', async () => {
    const s = await mailWorld()
    s.failures.push(refusal('smtp_550', true))
    await ask(s)
    expect(failed(s)).toMatchObject([{ reason: 'smtp_550', next_attempt_at: null }])
    expect(await s.queue.page({ limit: 1 })).toEqual([])
  })

  it('for a reason that no MailError gives is tried again', async () => {
    const s = await mailWorld()
    s.failures.push(new Error('the private text of a server'))
    await ask(s)
    expect(failed(s)).toMatchObject([{ reason: 'mailer' }])
    expect(JSON.stringify(s.events)).not.toContain('private text')
    s.clock.now += 10
    await s.deliver()
    expect(s.sent).toHaveLength(1)
  })
})

describe('the link of a mail that is sent again', () => {
  /** Seconds after the request at which the second attempt succeeds. */
  async function linksOf(seconds: number): Promise<[stored: string, sent: string, s: MailWorld]> {
    const s = await mailWorld()
    s.failures.push(refusal('smtp_451'))
    await ask(s)
    const stored = await storedLink(s)
    s.clock.now += seconds
    await s.deliver()
    return [stored, lastLink(s), s]
  }

  it('is the same while it works for 900 seconds', async () => {
    const [stored, sent] = await linksOf(900)
    expect(sent).toBe(stored)
  })

  it('is a new one after that, and the old one is dead', async () => {
    const [stored, sent, s] = await linksOf(901)
    expect(sent).not.toBe(stored)
    expect((await browser(s).get(stored)).status).toBe(400)
    expect((await resetWith(browser(s), sent)).status).toBe(303)
  })

  it('is stored before it is sent: a process that ends after it was sent leaves it to the next one', async () => {
    const queue = memoryMailQueue()
    const s = await mailWorld({
      queue: {
        ...queue,
        settle: async (mail, next) =>
          next === null ? Promise.reject(new Error('the process has ended')) : queue.settle(mail, next),
      },
    })
    await ask(s)
    const first = lastLink(s)
    expect(s.events).toContainEqual(expect.objectContaining({ type: 'server.error' }))
    s.clock.now += 59
    await s.deliver()
    expect(s.sent).toHaveLength(1)
    s.clock.now += 1
    await s.deliver()
    expect(s.sent).toHaveLength(2)
    expect(lastLink(s)).toBe(first)
    expect(s.sent[1]?.message_id).toBe(s.sent[0]?.message_id)
    expect((await resetWith(browser(s), first)).status).toBe(303)
  })

  it('is not sent any more when the password was changed meanwhile', async () => {
    const s = await mailWorld()
    s.failures.push(refusal('smtp_451'))
    await ask(s)
    await resetWith(browser(s), await storedLink(s))
    await s.identity.mail?.settled()
    const before = s.sent.length
    s.clock.now += 10
    await s.deliver()
    expect(s.sent.slice(before)).toEqual([])
    expect(failed(s).at(-1)).toMatchObject({ reason: 'changed_meanwhile', next_attempt_at: null })
  })
})

async function storedLink(s: MailWorld): Promise<string> {
  const [mail] = await s.queue.page({ limit: 1 })
  const content = mail && openMail(createSealer({ secret: SECRET }, MAIL_USE), mail)
  if (content?.kind !== 'reset' || !content.link) throw new Error('No link')
  return content.link.url
}

describe('a queued mail', () => {
  it('is encrypted for its id and its realm', async () => {
    const s = await mailWorld()
    s.failures.push(refusal('smtp_451'))
    await ask(s, { username: 'Ada' })
    const [mail] = await s.queue.page({ limit: 1 })
    if (!mail) throw new Error('No mail')
    expect(Object.keys(mail).sort()).toEqual(
      ['attempts', 'created_at', 'data', 'mail_id', 'next_attempt_at', 'realm'].sort(),
    )
    expect(Buffer.from(mail.data, 'base64url').toString('latin1')).not.toContain('"username"')
    const sealer = createSealer({ secret: SECRET }, MAIL_USE)
    expect(openMail(sealer, mail)).toMatchObject({ kind: 'reset', username: 'Ada' })
    expect(openMail(sealer, { ...mail, realm: 'other' })).toBeNull()
    expect(openMail(sealer, { ...mail, mail_id: 'other' })).toBeNull()
  })

  it('that another secret has sealed waits for a server that has it', async () => {
    const queue = memoryMailQueue()
    const before = await mailWorld({ queue })
    before.failures.push(refusal('smtp_451'))
    await ask(before)
    const secret = 'another secret of this test, 32 chars'
    const without = await mailWorld({ queue, identity: { secret } })
    without.clock.now += 10
    await without.deliver()
    expect(failed(without)).toMatchObject([{ mail: null, sub: null, reason: 'other_secret' }])
    const after = await mailWorld({ queue, identity: { secret, previous_secret: SECRET } })
    after.clock.now += 60
    await after.deliver()
    expect(after.sent).toHaveLength(1)
  })

  it('of a realm that mails no more waits', async () => {
    const queue = memoryMailQueue()
    const before = await mailWorld({ queue })
    before.failures.push(refusal('smtp_451'))
    await ask(before)
    const after = await mailWorld({ queue, mailing: [] })
    after.clock.now += 10
    await after.deliver()
    expect(failed(after)).toMatchObject([{ reason: 'no_realm', next_attempt_at: expect.any(Number) }])
  })

  it('goes to the address that the account has when it is sent', async () => {
    const s = await mailWorld()
    s.failures.push(refusal('smtp_451'))
    await ask(s)
    await giveAddress(s, { email: 'new@example.com' })
    s.clock.now += 10
    await s.deliver()
    expect(s.sent).toMatchObject([{ to: 'new@example.com' }])
  })
})

describe('at the same time', () => {
  /** Mails to Ada that wait, by realm, and a mail server that holds each: how many of a realm it has. */
  async function held(waiting: Record<string, number>): Promise<Record<string, number>> {
    const realms = Object.keys(waiting)
    const taken: Record<string, number> = {}
    const releases: (() => void)[] = []
    const mailerOf = (realm: string) => ({
      async send() {
        taken[realm] = (taken[realm] ?? 0) + 1
        await new Promise<void>((done) => releases.push(done))
      },
    })
    const queue = memoryMailQueue()
    const s = await mailWorld({
      oidc: {
        issuer: 'https://id.example',
        routes: { realms: 'path' },
        realms: Object.fromEntries(realms.map((id) => [id, {}])),
      },
      mailing: realms,
      identity: { mail: { queue, of: (realm) => ({ mailer: mailerOf(realm), from: 'id@example.com' }) } },
    })
    const sealer = createSealer({ secret: SECRET }, MAIL_USE)
    const origin = { language: 'en', device: '', at: s.clock.now }
    for (const [realm, count] of Object.entries(waiting)) {
      const changes = [{ notice: 'password_changed' }] as const
      const sub = await subOf(s, 'ada', realm)
      for (let n = 0; n < count; n += 1)
        await addMail({ queue, sealer }, realm, { kind: 'notice', sub, changes, ...origin })
    }
    s.identity.mail?.start(s.provider)
    const expected = Math.min(
      8,
      realms.reduce((sum, realm) => sum + Math.min(4, waiting[realm] ?? 0), 0),
    )
    await eventually(() => expect(releases).toHaveLength(expected))
    const first = { ...taken }
    const total = Object.values(waiting).reduce((sum, count) => sum + count, 0)
    for (let n = 0; n < total; n += 1) {
      await eventually(() => expect(releases.length).toBeGreaterThan(0))
      releases.shift()?.()
    }
    await s.identity.mail?.settled()
    expect(taken).toEqual(waiting)
    return first
  }

  it('four of a realm are sent, and eight of all', async () => {
    expect(await held({ one: 4 })).toEqual({ one: 4 })
    expect(await held({ one: 5 })).toEqual({ one: 4 })
    expect(await held({ one: 5, two: 5 })).toEqual({ one: 4, two: 4 })
    expect(Object.values(await held({ one: 4, two: 4, three: 4 })).reduce((sum, count) => sum + count)).toBe(
      8,
    )
  })
})

it('a failure of the queue is an event, and the next start goes on', async () => {
  const queue = memoryMailQueue()
  let fails = 1
  const s = await mailWorld({
    queue: {
      ...queue,
      claim: async (claim) => {
        fails -= 1
        return fails >= 0 ? Promise.reject(new Error('no database')) : queue.claim(claim)
      },
    },
  })
  await ask(s)
  expect(s.events).toContainEqual(expect.objectContaining({ type: 'server.error' }))
  await s.deliver()
  expect(s.sent).toHaveLength(1)
})

it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])('a start %i steps after the last look is not lost', async (steps) => {
  const queue = memoryMailQueue()
  let claims = 0
  let again = () => {}
  const s = await mailWorld({
    queue: {
      ...queue,
      async claim(claim) {
        claims += 1
        if (claims === 1) void later(steps).then(() => again())
        return queue.claim(claim)
      },
    },
  })
  const asked = new Promise<void>((done) => {
    again = () => {
      s.identity.mail?.start(s.provider)
      done()
    }
  })
  await s.deliver()
  await asked
  await s.identity.mail?.settled()
  expect(claims).toBe(2)
})

/** Resolves after so many steps of the event loop's queue of promises. */
async function later(steps: number): Promise<void> {
  for (let n = 0; n < steps; n += 1) await null
}

it('after stop nothing is sent', async () => {
  const s = await mailWorld()
  await s.identity.mail?.stop()
  await askWith(s, browser(s))
  await s.deliver()
  expect(s.sent).toEqual([])
})
