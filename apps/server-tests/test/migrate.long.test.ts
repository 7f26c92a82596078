/** Migrations of two processes at once, and of the next version. */

import { ownDatabase } from '@ostiary/test-kit/database'
import { run, type ServerProcess, type StartOptions, startTestServer } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished } from 'vitest'
import { database, makeAnn, START } from './commands.ts'
import { nextVersion } from './next-version.ts'

const startConfigured = (start: StartOptions): Promise<ServerProcess> =>
  startTestServer({ ...START, ...start, env: { ...START.env, ...start.env } })

it('migrations may run twice concurrently', async () => {
  const env = { DATABASE_URL: await ownDatabase() }
  const both = await Promise.all([run({ env, args: ['migrate'] }), run({ env, args: ['migrate'] })])
  expect(both).toEqual([expect.objectContaining({ code: 0 }), expect.objectContaining({ code: 0 })])
  expect(both.filter(({ stdout }) => stdout.includes('0001-records has run'))).toHaveLength(1)
})

it('the next version does not start on an older schema, runs what is missing, and shuts the older version out', async () => {
  const { env, users } = await database(onTestFinished)
  await makeAnn(users)
  const main = await nextVersion(onTestFinished)
  expect(await run({ ...START, env, main })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^ostiary: The database's schema is older than this version: it lacks 9000-next\. Run the migrations, then start again\.\n {2}`ostiary migrate` runs/,
    ),
  })
  const plan = await run({ env, main, args: ['migrate', '--plan'] })
  expect(plan).toMatchObject({ code: 0, stderr: '' })
  expect(plan.stdout).toMatch(/^-- 9000-next would run:\n\s*alter table oidc_users add column next/)
  expect(plan.stdout).not.toContain('create table')
  // A server that is running keeps serving.
  const running = await startConfigured({ env })
  expect(await run({ env, main, args: ['migrate'] })).toMatchObject({
    code: 0,
    stdout: '9000-next has run\nThe schema is up to date.\n',
  })
  expect((await fetch(`${running.issuer}/readyz`)).status).toBe(200)
  expect(await users.findByUsername('ann')).toMatchObject({ sub: 'ann-1' })
  const next = await startConfigured({ env, main })
  expect(next.logged('listening')).toEqual([expect.objectContaining({ storage: 'postgres' })])
  expect(await run({ ...START, env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('newer than this version, which does not know 9000-next'),
  })
})
