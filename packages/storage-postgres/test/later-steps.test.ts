/** Each step after the first leaves the schema usable for the release before, and blocks none of its requests. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Migration, migrations } from '../src/index.js'
import { MIGRATIONS } from '../src/migrations/list.js'
import { schemaFaults, schemaItems, textFaults } from './_later-steps.js'
import { type OwnDatabase, ownDatabase } from './_setup.js'

const step = (sql: string, index?: string): Migration => ({
  id: 9000,
  name: 'later',
  sql,
  ...(index && { index }),
})

const ALLOWED = [
  step('alter table oidc_clients add column later text'),
  step(
    'alter table oidc_clients\n  add column later jsonb,\n  add column later_at bigint;\n-- Why.\nalter table oidc_users add column later text collate "C";',
  ),
  step(
    'create table oidc_later (realm text not null, id text, primary key (realm, id)); create index oidc_later_ids on oidc_later (id)',
  ),
  step('create index concurrently oidc_later_index on oidc_clients (realm, client_name)', 'oidc_later_index'),
]

/** By what they would break or block. */
const REFUSED: Record<string, Migration> = {
  'a column that must have a value': step('alter table oidc_clients add column later text not null'),
  'a default, which the release before writes without knowing': step(
    `alter table oidc_clients add column later text default 'x'`,
  ),
  'a removed column': step('alter table oidc_clients drop column client_name'),
  'a renamed column': step('alter table oidc_clients rename column client_name to name'),
  'another type': step('alter table oidc_clients alter column expires_at type integer'),
  'a constraint': step('alter table oidc_users add constraint later check (created_at > 5)'),
  'a column with a constraint': step('alter table oidc_users add column later text unique'),
  'a reference': step('alter table oidc_users add column later integer references oidc_migrations (id)'),
  'an index that blocks writers': step('create index oidc_later_index on oidc_clients (client_name)'),
  'an index under another name': step(
    'create index concurrently oidc_other on oidc_clients (client_name)',
    'oidc_later_index',
  ),
  'two statements outside of a transaction': step(
    'create index concurrently oidc_later_index on oidc_clients (client_name); drop table oidc_users',
    'oidc_later_index',
  ),
  'a replaced function': step(
    `create or replace function oidc_end_session(of_realm text, of_sid text, now bigint, lease bigint)
     returns table (session oidc_sessions, client_ids json) language sql as 'select null::oidc_sessions, null::json'`,
  ),
  'changed rows': step('update oidc_clients set trusted = false'),
  'a removed table': step('drop table oidc_throttles'),
  'a trigger': step(
    `create function later() returns trigger language plpgsql as 'begin return null; end'; create trigger later before insert on oidc_users execute function later()`,
  ),
}

describe('a later step of the schema', () => {
  let database: OwnDatabase
  beforeAll(async () => {
    database = await ownDatabase()
  })
  afterAll(() => database.drop())

  const empty = () => database.executor.query('drop schema public cascade; create schema public')

  /** Applies the steps one by one; the faults of all steps after the first. */
  async function faultsOf(steps: readonly Migration[]): Promise<string[]> {
    await empty()
    const faults: string[] = []
    for (const [i, migration] of steps.entries()) {
      const before = i === 0 ? [] : await schemaItems(database.executor)
      await migrations(database.executor, { known: steps.slice(0, i + 1) }).migrate()
      if (i === 0) continue
      faults.push(...textFaults(migration))
      faults.push(...schemaFaults(before, await schemaItems(database.executor), migration))
    }
    return faults
  }

  it('every step of this version keeps the rule', async () => {
    expect(await faultsOf(MIGRATIONS)).toEqual([])
    expect(MIGRATIONS.map(({ id }) => id)).toEqual(MIGRATIONS.map((_, i) => i + 1))
  })

  it.each(ALLOWED.map((migration) => [migration.sql, migration] as const))(
    'may be: %s',
    async (_, migration) => {
      expect(await faultsOf([...MIGRATIONS.slice(0, 1), migration])).toEqual([])
    },
  )

  it.each(Object.entries(REFUSED))('is refused by its text: %s', (_, migration) => {
    expect(textFaults(migration)).not.toEqual([])
  })

  // What changes rows or blocks leaves no trace in the schema, and an index under another name is not built at all.
  const WITHOUT_TRACE = /changed rows|under another name|outside of a transaction/
  const TRACED = Object.entries(REFUSED).filter(([what]) => !WITHOUT_TRACE.test(what))
  it.each(TRACED)('is refused by what it leaves in the schema: %s', async (_, migration) => {
    await empty()
    await migrations(database.executor).migrate()
    const before = await schemaItems(database.executor)
    await database.executor.query(migration.sql)
    expect(schemaFaults(before, await schemaItems(database.executor), migration)).not.toEqual([])
  })
})
