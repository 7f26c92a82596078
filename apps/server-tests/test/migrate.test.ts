/** The command `migrate`, and how a server starts on databases with different schemas. */

import { ownDatabase } from '@ostiary/test-kit/database'
import { freePort } from '@ostiary/test-kit/ports'
import { run, type ServerProcess, type StartOptions, startTestServer } from '@ostiary/test-kit/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { database, START } from './commands.ts'

const startConfigured = (start: StartOptions): Promise<ServerProcess> =>
  startTestServer({ ...START, ...start, env: { ...START.env, ...start.env } })

describe('migrate', () => {
  it('shows the plan, runs it, and then has nothing to do', async () => {
    const env = { DATABASE_URL: await ownDatabase() }
    const plan = await run({ env, args: ['migrate', '--plan'] })
    expect(plan).toMatchObject({ code: 0, stderr: '' })
    expect(plan.stdout).toMatch(/^-- 0001-records would run:\n[\s\S]*create table oidc_clients/)
    // The plan changed nothing.
    expect(await run({ env, args: ['migrate', '--plan'] })).toEqual(plan)
    expect(await run({ env, args: ['migrate'] })).toMatchObject({
      code: 0,
      // Its event, and nothing else.
      stderr: expect.stringMatching(/^\{.*"command":"migrate".*\}\n$/),
      stdout:
        '0001-records has run\n0002-not-before has run\n0003-database has run\n0004-factors has run\n0005-tickets has run\n0006-remembered-devices has run\n0007-mails has run\n0008-links has run\n0009-addresses has run\n0010-audit has run\n0011-audit-sinks has run\n0012-roles has run\n0013-access-rules has run\n0014-realms has run\nThe schema is up to date.\n',
    })
    for (const args of [['migrate'], ['migrate', '--plan']])
      expect(await run({ env, args })).toMatchObject({ code: 0, stdout: 'The schema is up to date.\n' })
    const server = await startConfigured({ env })
    expect(server.logged('listening')).toEqual([expect.objectContaining({ storage: 'postgres' })])
    expect(await server.stop()).toMatchObject({ code: 0 })
  })

  it('an empty database needs no migration: the server creates the schema', async () => {
    const env = { DATABASE_URL: await ownDatabase() }
    const server = await startConfigured({ env })
    expect(server.logged('listening')).toEqual([expect.objectContaining({ storage: 'postgres' })])
    expect(await run({ env, args: ['migrate'] })).toMatchObject({
      code: 0,
      stdout: 'The schema is up to date.\n',
    })
  })

  it('without the right to create tables the server does not start, and says what to do', async () => {
    const DATABASE_URL = `${await ownDatabase()}?role=pg_read_all_data`
    const { code, stderr } = await run({ ...START, env: { ...START.env, DATABASE_URL } })
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^ostiary: The database is empty: it lacks 0001-records.* Run the migrations as a role that may, then start again\.\n {2}`ostiary migrate` runs the migrations, `ostiary migrate --plan` shows them\.\n$/,
      ),
    ])
  })

  it('needs DATABASE_URL, and a database that answers', async () => {
    expect(await run({ args: ['migrate'] })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('DATABASE_URL: set this variable'),
    })
    const env = { DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/x` }
    expect(await run({ env, args: ['migrate'] })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^ostiary: The database that DATABASE_URL names cannot be used: /),
    })
  })

  it('tables that an older restore has left are explained, and nothing is changed', async () => {
    const { env, executor } = await database(onTestFinished)
    const steps = () => executor.query('select id from oidc_migrations order by id')
    await executor.query('delete from oidc_migrations where id > 4')
    const before = await steps()
    const explained =
      /^ostiary: The database that DATABASE_URL names cannot be used: (?:relation|function) "\w+" already exists[^.]*\. The database has tables of a step that .* Restore the backup into an empty database; see "Roll back" in docs\/upgrade\.md\.\n$/
    expect(await run({ env, args: ['migrate'] })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(explained),
    })
    expect(await steps()).toEqual(before)
    // Without any list of steps, a start would create all tables.
    await executor.query('drop table oidc_migrations')
    expect(await run({ ...START, env: { ...START.env, ...env } })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(explained),
    })
  })

  it('another argument: exit code 2 and the usage', async () => {
    expect(await run({ args: ['migrate', '--now'] })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: unknown option '--now'\n\nUsage: /),
    })
  })
})
