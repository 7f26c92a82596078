/** Commands on the embedded database, which one process can use at a time. */

import { temporaryFolder } from '@ostiary/test-kit/folder'
import { freePort } from '@ostiary/test-kit/ports'
import { run, startTestServer } from '@ostiary/test-kit/server'
import { expect, it, vi } from 'vitest'
import { START } from './commands.ts'

vi.setConfig({ testTimeout: 300_000 })

it('while the server runs they name the process that has it; then they see what the server has stored', async () => {
  const DATA_DIR = await temporaryFolder()
  const start = { ...START, port: await freePort(), env: { ...START.env, DATA_DIR } }
  const server = await startTestServer(start)
  const refused = await run({ ...start, args: ['client', 'list'] })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(
    new RegExp(`^ostiary: .*pglite is in use by process ${server.child.pid} on `),
  )
  const seen = await run({ ...start, args: ['doctor'] })
  expect(seen.code).toBe(0)
  expect(seen.stdout).toMatch(
    /^note +database: .* is in use by process \d+.*\n +If that is the server, there is no fault/m,
  )

  await server.stop()
  const listed = await run({ ...start, args: ['client', 'list', '--limit', '2'] })
  expect(listed).toMatchObject({ code: 0, stderr: 'There are more: continue with --after notes\n' })
  expect(listed.stdout).toMatch(/\nbackend .*\nnotes /)
  const { stdout } = await run({ ...start, args: ['doctor', '--offline', '--json'] })
  expect(JSON.parse(stdout)).toMatchObject({ faults: 0 })
  expect(stdout).toContain('(embedded)')
})
