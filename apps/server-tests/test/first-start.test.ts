/** A first start that is refused: the next one in the same folder works, and the demo signs in. */

import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@ostiary/test-kit/eventually'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { freePort } from '@ostiary/test-kit/ports'
import { run, startTestServer } from '@ostiary/test-kit/server'
import { describe, expect, it, vi } from 'vitest'
import { worksIn } from './works-in.ts'

vi.setConfig({ testTimeout: 900_000 })

describe('a first start in try-out mode', () => {
  it('on a taken port names the next free one, stores nothing, and works with it in the same folder', async () => {
    const taken = await startTestServer({ env: { OSTIARY_STORAGE: 'memory' } })
    const DATA_DIR = join(await temporaryFolder(), 'data')
    const refused = await run({ port: taken.port, env: { DATA_DIR } })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    const [, next = ''] =
      /^ostiary: port \d+ of 127\.0\.0\.1 is in use; stop what runs there, or set PORT to another one: PORT=(\d+) node \S+main\.js serve\n$/.exec(
        refused.stderr,
      ) ?? []
    expect(Number(next)).toBeGreaterThan(taken.port)
    await expect(readFile(join(DATA_DIR, 'try-out.json'))).rejects.toThrow('ENOENT')
    const server = await worksIn(DATA_DIR, { port: Number(next) })
    await eventually(() => server.stderr().includes(`http://localhost:${next}/demo`))
    // The issuer and the redirect URI follow the port, also where another one has been stored.
    await worksIn(DATA_DIR, { port: await freePort() })
  })

  it('that a package manager began names its command', async () => {
    const taken = await startTestServer({ env: { OSTIARY_STORAGE: 'memory' } })
    const started: [Record<string, string>, string][] = [
      [{ npm_lifecycle_event: 'start', npm_config_user_agent: 'npm/10.8.2 node/v22.0.0' }, 'npm run start'],
      [
        { npm_lifecycle_event: 'start', npm_config_user_agent: 'pnpm/12.21.0 npm/? node/v22.0.0' },
        'npx -y pnpm@12.21.0 start',
      ],
      [{ npm_command: 'exec' }, 'npx @ostiary/server'],
    ]
    for (const [env, command] of started) {
      const { stderr } = await run({ port: taken.port, env: { ...env, DATA_DIR: await temporaryFolder() } })
      expect(stderr.trim().replace(/.*: PORT=\d+ /, '')).toBe(command)
    }
  })

  it('in a folder that cannot be made says so, and works when it can', async () => {
    const file = join(await temporaryFolder(), 'file')
    await writeFile(file, '')
    const refused = await run({ env: { DATA_DIR: join(file, 'data') } })
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.stderr).toMatch(/DATA_DIR: \S+try-out\.json cannot be (?:read|written) \(ENOTDIR\)/)
    await rm(file)
    await worksIn(join(file, 'data'))
  })
})
