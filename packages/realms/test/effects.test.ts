/** What ends with a realm is counted, up to a bound. */

import { type Executor, postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { newMigratedDatabase } from '@ostiary/test-kit/migrated-database'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countRealm } from '../src/effects.ts'

let db: Executor & { close(): Promise<void> }
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await newMigratedDatabase()
  drop = database.drop
  db = postgresExecutor(database.url, UNLIMITED)
})

afterAll(async () => {
  await db.close()
  await drop()
})

const addUsers = (realm: string, from: number, to: number) =>
  db.query(
    `insert into oidc_users (realm, bucket, sub, username, username_key, claims, created_at, updated_at, credential_version)
     select $1, 0, 'u-' || n, 'u-' || n, 'u-' || n, '{}', 1, 1, 0 from generate_series($2::int, $3::int) as n`,
    [realm, from, to],
  )

it('what a realm has, without that of others; more than ten thousand are counted as that many', async () => {
  await addUsers('other', 1, 3)
  await addUsers('acme', 1, 9999)
  const nothing = { clients: 0, users: 9999, sessions: 0, grants: 0, consents: 0, keys: 0 }
  expect(await countRealm(db, 'acme')).toEqual(nothing)
  await addUsers('acme', 10_000, 10_000)
  expect(await countRealm(db, 'acme')).toEqual({ ...nothing, users: 10_000 })
  await addUsers('acme', 10_001, 10_001)
  expect(await countRealm(db, 'acme')).toEqual({ ...nothing, users: 10_000 })
  expect(await countRealm(db, 'other')).toEqual({ ...nothing, users: 3 })
  expect(await countRealm(db, 'none')).toEqual({ ...nothing, users: 0 })
})

it('what is in other databases is not counted', async () => {
  expect(await countRealm(db, 'acme', ['users', 'sessions'])).toEqual({
    clients: 0,
    users: null,
    sessions: null,
    grants: 0,
    consents: 0,
    keys: 0,
  })
})
