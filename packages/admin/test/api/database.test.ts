/** On PostgreSQL: ETags are those of the memory, and of two writers one is refused, shown with a transaction that is held open. */

import { postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { hold, untilItWaits } from '@ostiary/test-kit/database/held'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { expect, it, onTestFinished } from 'vitest'
import { adminPlace } from './_place.ts'

const NOTES = {
  client_name: 'Notes',
  redirect_uris: ['https://notes.example.com/callback'],
  optional_scopes: ['openid', 'email'],
  access_token_lifetime: 300,
}

async function onDatabase() {
  const executor = postgresExecutor(await migratedDatabase(), UNLIMITED)
  onTestFinished(() => executor.close())
  const place = await adminPlace({ executor })
  await place.give('sub:ann', 'owner', '*')
  const { access_token } = await place.signIn('ann')
  const send = (line: string, body?: unknown, headers: Record<string, string> = {}) =>
    place.call(access_token, line, { ...(body !== undefined && { body }), headers })
  return { executor, place, send }
}

it('the same PUT again has the same ETag and no row, for clients and for users', async () => {
  const { place, send } = await onDatabase()
  const puts: [string, unknown][] = [
    ['/realms/acme/clients/notes', NOTES],
    [
      '/realms/acme/clients/service',
      { token_endpoint_auth_method: 'client_secret_post', grant_types: ['client_credentials'] },
    ],
    [
      '/realms/acme/users/eve',
      {
        username: 'Eve',
        claims: { email: 'eve@example.com', address: { locality: 'Paris' } },
        groups: ['b', 'a'],
        attributes: { z: 1, a: [1, { y: 2, b: 3 }] },
      },
    ],
    ['/realms/acme/users/bob', { username: 'bob' }],
  ]
  const first = await Promise.all(puts.map(([path, body]) => send(`PUT ${path}`, body)))
  expect(first.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  const rows = await place.changes()
  const again = await Promise.all(puts.map(([path, body]) => send(`PUT ${path}`, body)))
  const read = await Promise.all(puts.map(([path]) => send(`GET ${path}`)))
  const tags = first.map(({ etag }) => etag)
  expect([again.map(({ etag }) => etag), read.map(({ etag }) => etag)]).toEqual([tags, tags])
  expect(again.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await place.changes()).toEqual(rows)
})

it.each([
  [
    'a client',
    '/realms/acme/clients/notes',
    NOTES,
    { client_name: 'Mine' },
    `update oidc_clients set client_name = 'Theirs' where client_id = 'notes'`,
  ],
  [
    'a user',
    '/realms/acme/users/eve',
    { username: 'eve' },
    { username: 'mine' },
    `update oidc_users set username = 'theirs', updated_at = updated_at + 1 where sub = 'eve'`,
  ],
] as const)(
  '%s that another writer is changing is not overwritten',
  async (...[, path, body, patch, theirs]) => {
    const { executor, send } = await onDatabase()
    const { etag } = await send(`PUT ${path}`, body)
    const other = await hold(executor, (tx) => tx.query(theirs))
    const mine = send(`PATCH ${path}`, patch, { 'if-match': etag })
    expect(await untilItWaits(executor, mine)).toBe(true)
    await other.commit()
    expect((await mine).status).toBe(412)
    const { body: stored } = await send(`GET ${path}`)
    expect(Object.values(stored).filter((value) => typeof value === 'string')).toContainEqual(
      expect.stringMatching(/^theirs$/i),
    )
  },
)
