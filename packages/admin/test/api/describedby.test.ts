/** The answer to a write names its rows of the audit. */

import { databaseAuditStore } from '@ostiary/audit'
import { postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { expect, it, onTestFinished } from 'vitest'
import { adminPlace, type Place, RESOURCE } from './_place.ts'

const NOTES = { client_name: 'Notes', redirect_uris: ['https://notes.example.com/callback'] }
const ONE = '/realms/acme/clients/notes'

async function onDatabase() {
  const executor = postgresExecutor(await migratedDatabase(), UNLIMITED)
  onTestFinished(() => executor.close())
  return adminPlace({ executor, store: databaseAuditStore(executor) })
}

async function owned(place: Place) {
  await place.give('sub:ann', 'owner', '*')
  const { access_token } = await place.signIn('ann')
  const send = (line: string, body?: unknown) =>
    place.call(access_token, line, body === undefined ? {} : { body })
  return { place, access_token, send }
}

/** The ids that a header names. */
const idsOf = (headers: Headers): string[] =>
  [
    ...(headers.get('link') ?? '').matchAll(
      /<\/admin\/api\/v1\/realms\/acme\/audit\/([^>]+)>; rel="describedby"/g,
    ),
  ].map(([, id = '']) => id)

it.each([
  ['in memory', () => adminPlace()],
  ['in PostgreSQL', onDatabase],
] as const)('%s: each row of a write, the oldest first', async (_, open) => {
  const { place, send } = await owned(await open())
  const made = await send(`PUT ${ONE}`, NOTES)
  const [created] = await place.changes()
  expect(idsOf(made.headers)).toEqual([created?.audit_id])
  await send('PUT /realms/acme/users/eve', { username: 'eve' })
  const before = await place.changes()
  const deleted = await send('DELETE /realms/acme/users/eve?overwrite=true')
  const rows = (await place.changes()).slice(before.length)
  expect(rows.length).toBeGreaterThan(1)
  expect(idsOf(deleted.headers)).toEqual(rows.map(({ audit_id }) => audit_id))
})

it('a dry run names its row, and what changes nothing has no link', async () => {
  const { place, send } = await owned(await adminPlace())
  const dry = await send(`PUT ${ONE}?dry_run=true`, NOTES)
  expect(idsOf(dry.headers)).toEqual((await place.changes()).map(({ audit_id }) => audit_id))
  await send(`PUT ${ONE}`, NOTES)
  const again = await send(`PUT ${ONE}`, NOTES)
  expect([again.status, again.headers.has('link')]).toEqual([200, false])
  expect((await send(`GET ${ONE}`)).headers.has('link')).toBe(false)
  expect((await send(`PATCH ${ONE}`, { client_name: 'N' })).headers.has('link')).toBe(false)
})

/** PUT of a client in a request with this id. */
async function put(place: Place, token: string, id: string): Promise<Headers> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify(NOTES)
  const request = new Request(`${RESOURCE}/realms/acme/clients/${id}`, { method: 'PUT', headers, body })
  return (await place.admin.fetch(request, { request_id: 'the-same' })).headers
}
const rowOf = async (place: Place, id: string) =>
  (await place.changes()).find(({ client_id }) => client_id === id)?.audit_id

it('a row of another caller, or of another time, is not named, although the request has the same id', async () => {
  const { place, access_token } = await owned(await adminPlace())
  await place.give('client:deploy', 'owner', '*')
  const program = (await place.program()).access_token
  await put(place, access_token, 'one')
  expect(idsOf(await put(place, program, 'two'))).toEqual([await rowOf(place, 'two')])
  place.w.clock.now += 61
  expect(idsOf(await put(place, access_token, 'three'))).toEqual([await rowOf(place, 'three')])
})

it('a row of a request whose reference is the same by chance is not named', async () => {
  const { place, access_token } = await owned(await adminPlace())
  const { list } = place.rows
  place.rows.list = async (...asked) => {
    const rows = await list(...asked)
    return rows.flatMap((row) => [row, { ...row, audit_id: 'foreign', data: '{"request_id":"other"}' }])
  }
  expect(idsOf(await put(place, access_token, 'one'))).toEqual([await rowOf(place, 'one')])
})

it('a change whose rows cannot be read has succeeded, without links', async () => {
  const { place, send } = await owned(await adminPlace())
  place.rows.list = async () => {
    throw new Error('no database')
  }
  const { status, headers } = await send(`PUT ${ONE}`, NOTES)
  expect([status, headers.has('link'), place.failures]).toEqual([201, false, []])
})

it('without an audit there are no links', async () => {
  const { send } = await owned(await adminPlace({ options: { audit: null } }))
  const { status, headers } = await send(`PUT ${ONE}`, NOTES)
  expect([status, headers.has('link')]).toEqual([201, false])
})
