/** The state of the server, and what waits: of the realm alone. */

import { postgresStores } from '@ostiary/storage-postgres'
import { expect, it } from 'vitest'
import { database, problem, STORAGES, staffed } from './_storages.ts'

const PATH = '/realms/acme/status'

it('in PostgreSQL, says what waits in the realm, and how old its keys are', async () => {
  const executor = await database()
  const { mails } = postgresStores(executor)
  const { ann, w } = await staffed({ executor })
  const { now } = w.clock
  const keys = (await w.provider.manage('acme')).keys
  await keys.ready()
  const [key] = await keys.list()
  const nothing = { waiting: 0, oldest_at: null }
  const empty = await ann(`GET ${PATH}`)
  expect(empty.body).toEqual({
    version: '1.2.3',
    time: now,
    ready: true,
    parts: { database: 'ok' },
    storage: 'database',
    schema: 12,
    keys: [key],
    mails: nothing,
    deliveries: nothing,
  })
  const mail = { data: 'sealed', attempts: 0, next_attempt_at: now }
  await mails.add({ ...mail, mail_id: 'one', realm: 'acme', created_at: now - 50 })
  await mails.add({ ...mail, mail_id: 'two', realm: 'acme', created_at: now - 90 })
  await mails.add({ ...mail, mail_id: 'three', realm: 'other', created_at: now - 900 })
  await executor.query(`
    insert into oidc_logout_deliveries (realm, delivery_id, client_id, sub, sid, uri, session_required, created_at, attempts, next_attempt_at)
    select realm, 'd-' || n, 'ops', 'eve', 'sid', 'https://a.example.com/', true, n, 1, n
    from generate_series(1, 10001) as n, (values ('acme')) as of_realm (realm)`)
  const { body } = await ann(`GET ${PATH}`)
  expect(body.mails).toEqual({ waiting: 2, oldest_at: now - 90 })
  // More than 10,000 are not counted.
  expect(body.deliveries).toEqual({ waiting: 10_000, oldest_at: expect.any(Number) })
  expect((await ann('GET /realms/other/status')).body).toMatchObject({
    mails: { waiting: 1, oldest_at: now - 900 },
    deliveries: nothing,
  })
  await executor.query(`delete from oidc_logout_deliveries where delivery_id = 'd-1'`)
  expect((await ann(`GET ${PATH}`)).body.deliveries).toEqual({ waiting: 10_000, oldest_at: 2 })
  await executor.query(`delete from oidc_logout_deliveries where delivery_id = 'd-2'`)
  expect((await ann(`GET ${PATH}`)).body.deliveries).toEqual({ waiting: 9999, oldest_at: 3 })
})

it('in PostgreSQL, lists the mails of the realm that wait, without what they say', async () => {
  const executor = await database()
  const { mails } = postgresStores(executor)
  const { ann, sue, w } = await staffed({ executor })
  const { now } = w.clock
  const mail = { data: 'sealed', attempts: 3, created_at: now - 50, next_attempt_at: now + 60 }
  for (const mail_id of ['b', 'a', 'c']) await mails.add({ ...mail, mail_id, realm: 'acme' })
  await mails.add({ ...mail, mail_id: 'bb', realm: 'other' })
  const { data: _, ...shown } = mail
  const first = await sue('GET /realms/acme/mail?limit=2')
  expect(first.body).toEqual({
    items: [
      { ...shown, mail_id: 'a' },
      { ...shown, mail_id: 'b' },
    ],
    next: expect.any(String),
  })
  const { body: rest } = await sue(`GET /realms/acme/mail?limit=2&cursor=${first.body.next}`)
  expect(rest).toEqual({ items: [{ ...shown, mail_id: 'c' }], next: null })
  expect(await ann(`GET /realms/other/mail?cursor=${first.body.next}`)).toMatchObject(
    problem('invalid_cursor', 400),
  )
})

it('in memory, nothing is counted, and no key is made for the answer', async () => {
  const { ann, w } = await STORAGES[0][1]()
  expect((await ann('GET /realms/other/status')).body).toEqual({
    version: '1.2.3',
    time: w.clock.now,
    ready: true,
    parts: { database: 'ok' },
    storage: 'memory',
    schema: 12,
    keys: [],
    mails: null,
    deliveries: null,
  })
  expect(await w.storage('other').keys.list()).toEqual([])
})

it('of several keys of an algorithm, the newest is shown', async () => {
  const { ann, w } = await STORAGES[0][1]()
  const { keys } = await w.provider.manage('acme')
  await keys.ready()
  w.clock.now += 100
  const newest = await keys.rotate({ alg: 'RS256' })
  expect((await ann(`GET ${PATH}`)).body.keys).toEqual([newest])
})

it('a test mail has a row, and a refused one is a failed change', async () => {
  let is_refused = false
  const sent: object[] = []
  const { MailError, memoryMailQueue } = await import('@ostiary/identity/mail')
  const mailer = {
    async send(mail: object) {
      if (is_refused) throw new MailError('auth', { permanent: false })
      sent.push(mail)
    },
  }
  const mail = { queue: memoryMailQueue(), of: () => ({ mailer, from: 'id@example.com' }) }
  const { ann, sue, changes } = await staffed({ mail })
  const send = (to: unknown) => ann('POST /realms/acme/mail/test', { to })
  expect(await sue('POST /realms/acme/mail/test', { to: 'a@b.example' })).toMatchObject(
    problem('not_found', 404),
  )
  expect((await send('ops@example.com')).body).toEqual({ to: 'ops@example.com', sent: true, reason: null })
  is_refused = true
  expect((await send('ops@example.com')).body).toEqual({ to: 'ops@example.com', sent: false, reason: 'auth' })
  for (const to of [
    'ops',
    'a@b.example\r\nBcc: x@y.example',
    'a@b.example,c@d.example',
    `${'x'.repeat(300)}@b.example`,
    1,
  ])
    expect(await send(to)).toMatchObject({ status: 400, body: { errors: [{ pointer: '/to' }] } })
  for (let n = 2; n < 10; n += 1) await send('ops@example.com')
  const limited = await send('ops@example.com')
  expect(limited).toMatchObject(problem('too_many_requests', 429))
  expect(limited.headers.get('retry-after')).toMatch(/^\d+$/)
  const rows = await changes()
  expect(rows.slice(0, 2)).toMatchObject([
    { type: 'mail.test', outcome: 'done', actor: 'sub:ann', sub: null },
    { type: 'mail.test', outcome: 'failed', actor: 'sub:ann', sub: null },
  ])
  expect(JSON.stringify(rows)).not.toContain('ops@example.com')
})
