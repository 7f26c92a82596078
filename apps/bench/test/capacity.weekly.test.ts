/** The capacity command with few grants, and the settings that docs/capacity.md names. */

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { migrations, postgresExecutor } from '@ostiary/storage-postgres'
import { ownDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { expect, it, onTestFinished } from 'vitest'

const PAGE = readFileSync(new URL('../../../docs/capacity.md', import.meta.url), 'utf8')

it('fills the tables, runs every operation, and prints what they cost', async () => {
  const program = fileURLToPath(new URL('../dist/commands/capacity.js', import.meta.url))
  const args = [program, '--grants', '20000', '--times', '20']
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 240_000 })
  for (const table of ['oidc_users', 'oidc_grants', 'oidc_refresh_tokens'])
    expect(stdout).toContain(`\`${table}\``)
  const headings = stdout.split('\n').filter((line) => line.startsWith('| Refresh |'))
  expect(headings).toHaveLength(1)
  expect(stdout).toContain('| 100,000,000 |')
}, 300_000)

it('the settings for autovacuum fit the tables', async () => {
  const [, settings = ''] = /```sql\n([\s\S]*?)```/.exec(PAGE) ?? []
  expect(settings).toContain('alter table')
  const executor = postgresExecutor(await ownDatabase(), UNLIMITED)
  onTestFinished(() => executor.close())
  await migrations(executor).setUp()
  await executor.query(settings)
})
