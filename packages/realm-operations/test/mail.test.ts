/** Mails that wait in memory, and test mails: a realm sends few of them, and each says what came of it. */

import { memoryStorage } from '@ostiary/core/memory'
import { MailError, memoryMailQueue, type OutgoingMail } from '@ostiary/identity/mail'
import { beforeEach, expect, it } from 'vitest'
import { OperationError, type RealmCall, type RealmSources, realmOperations } from '../src/index.ts'

const NOW = 1_800_000_000
const REALM = { id: 'acme', issuer: 'https://id.example.com/acme' }

let sent: OutgoingMail[]
let failure: Error | null
let sources: RealmSources
const queue = memoryMailQueue()

beforeEach(() => {
  sent = []
  failure = null
  const storage = memoryStorage()
  const mailer = {
    async send(mail: OutgoingMail) {
      if (failure !== null) throw failure
      sent.push(mail)
    },
  }
  sources = {
    version: '1.2.3',
    readiness: async () => ({ ready: true, parts: {} }),
    records: undefined,
    schema: null,
    mail: {
      queue,
      of: (realm) =>
        realm === 'silent' ? null : { mailer, from: 'Id <id@example.com>', reply_to: 'a@b.example' },
    },
    throttle: (realm) => storage(realm).throttle,
  }
})

const rows: object[] = []
const call = (more: Partial<RealmCall> = {}) =>
  ({
    realm: 'acme',
    params: {},
    is_planned: false,
    now: NOW,
    parts: async () => ({ realm: REALM, records: null }),
    cursor: { write: (_: object, after: string) => after, read: (_: object, cursor: string) => cursor },
    audit: {
      async change(row: object, run: () => Promise<unknown>) {
        rows.push(row)
        return run()
      },
    },
    ...more,
  }) as unknown as RealmCall

const run = async (id: string, { query = {}, body = {}, ...more }: Record<string, object | boolean> = {}) => {
  const operation = realmOperations(sources).find((each) => each.id === id)
  const given = { query: operation?.query?.parse(query), body: operation?.body?.parse(body) }
  return (await operation?.run(call(more), given as never))?.body as never
}
const test = (more: Record<string, object | boolean> = {}) =>
  run('mail.test', { body: { to: 'ann@example.com' }, ...more })

it('sends a mail, with a row that does not say to whom', async () => {
  rows.length = 0
  expect(await test()).toEqual({ to: 'ann@example.com', sent: true, reason: null })
  expect(sent).toEqual([
    {
      from: 'Id <id@example.com>',
      reply_to: 'a@b.example',
      to: 'ann@example.com',
      subject: 'Test email',
      text: 'The realm acme of https://id.example.com/acme can send emails.\n',
      html: '',
      message_id: expect.stringMatching(/^[\w-]{22}@id\.example\.com$/),
      headers: { 'Auto-Submitted': 'auto-generated' },
    },
  ])
  expect(rows).toEqual([{ realm: 'acme', type: 'mail.test' }])
  expect(await test({ audit: null as never })).toMatchObject({ sent: true })
})

it('says why the mail server does not take it; another failure is one of the server', async () => {
  failure = new MailError('smtp_550', { permanent: true })
  expect(await test()).toEqual({ to: 'ann@example.com', sent: false, reason: 'smtp_550' })
  failure = new Error('no row')
  await expect(test()).rejects.toThrow('no row')
})

it('a realm sends 10 in an hour, and others send theirs', async () => {
  for (let n = 0; n < 10; n += 1) expect(await test()).toMatchObject({ sent: true })
  const refused = await test().catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(OperationError)
  expect(refused).toMatchObject({
    code: 'too_many_requests',
    fault: { headers: { 'retry-after': String(3600 - (NOW % 3600)) } },
  })
  expect(sent).toHaveLength(10)
  expect(await test({ realm: 'other' as never })).toMatchObject({ sent: true })
  expect(await test({ now: (NOW + 3600) as never })).toMatchObject({ sent: true })
})

it('a dry run sends and counts nothing', async () => {
  for (let n = 0; n < 12; n += 1) expect(await test({ is_planned: true })).toMatchObject({ sent: true })
  expect(sent).toEqual([])
  expect(await test()).toMatchObject({ sent: true })
})

it('a realm without mails says what to set', async () => {
  for (const is_planned of [true, false])
    await expect(test({ realm: 'silent' as never, is_planned })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('identity.mail.from'),
    })
  sources.mail = null
  await expect(test()).rejects.toMatchObject({ code: 'conflict' })
})

it.each([
  '',
  'ann',
  'ann@example.com, eve@example.com',
  'Ann <ann@example.com>',
  'a@b.example\r\nBcc: x@y.example',
])('takes one address, and not %j', async (to) => {
  await expect(run('mail.test', { body: { to } })).rejects.toThrow()
  expect(sent).toEqual([])
})

it('lists the mails of the realm alone, in pages', async () => {
  const at = { created_at: NOW, next_attempt_at: NOW + 60, attempts: 2, data: 'sealed' }
  for (let n = 100; n < 160; n += 1)
    await queue.add({ ...at, mail_id: `m-${n}`, realm: n % 10 === 0 ? 'acme' : 'other' })
  const first = await run('mail.list', { query: { limit: '4' } })
  expect(first).toEqual({
    items: ['m-100', 'm-110', 'm-120', 'm-130'].map((mail_id) => ({
      mail_id,
      created_at: NOW,
      next_attempt_at: NOW + 60,
      attempts: 2,
    })),
    next: 'm-130',
  })
  expect(await run('mail.list', { query: { limit: '4', cursor: 'm-130' } })).toMatchObject({
    items: [{ mail_id: 'm-140' }, { mail_id: 'm-150' }],
    next: null,
  })
  expect(await run('mail.list')).toMatchObject({ items: { length: 6 }, next: null })
})

it('pages have 50 entries, and at most 200', async () => {
  const at = { created_at: NOW, next_attempt_at: NOW, attempts: 0, data: 'sealed' }
  for (let n = 0; n < 201; n += 1) await queue.add({ ...at, mail_id: `n-${n}`, realm: 'many' })
  const realm = 'many' as never
  expect(await run('mail.list', { realm })).toMatchObject({ items: { length: 50 }, next: expect.any(String) })
  expect(await run('mail.list', { realm, query: { limit: '200' } })).toMatchObject({ items: { length: 200 } })
  for (const limit of ['201', '0', '1e2', '-1'])
    await expect(run('mail.list', { realm, query: { limit } })).rejects.toThrow('1 to 200')
})
