/** A first start that fails at any moment: the next one in the same folder works, and the demo signs in. */

import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { freePort } from '@ostiary/test-kit/ports'
import { type Exit, launch, run, type ServerProcess, startTestServer } from '@ostiary/test-kit/server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { demoSignIn } from './demo-sign-in.ts'

vi.setConfig({ testTimeout: 900_000 })

const LONG = process.env.OSTIARY_LONG === '1'
const PRELOAD = { NODE_OPTIONS: `--import ${new URL('stop-at-write.mjs', import.meta.url)}` }

/** Starts in the folder, signs in with the password that is printed or stored, and stops. */
async function worksIn(DATA_DIR: string, more: { port?: number } = {}): Promise<ServerProcess> {
  const server = await startTestServer({ env: { DATA_DIR }, ...more })
  const { password } = JSON.parse(await readFile(join(DATA_DIR, 'try-out.json'), 'utf8'))
  expect(await demoSignIn(server.issuer, password)).toMatchObject({ email: 'demo@example.com' })
  expect(await server.stop()).toMatchObject({ code: 0 })
  return server
}

/** The changes of the disk of a start that works, up to the moment when it listens. */
async function recordedChanges(): Promise<string[]> {
  const [DATA_DIR, lists] = [await temporaryFolder(), await temporaryFolder()]
  const WRITES_LIST = join(lists, 'changes')
  const server = await startTestServer({ env: { DATA_DIR, WRITES_LIST, ...PRELOAD } })
  const changes = (await readFile(WRITES_LIST, 'utf8')).split('\n').slice(0, -1)
  await server.stop()
  return changes.map((change) => change.replaceAll(DATA_DIR, ''))
}

/** Making a folder again changes nothing. */
function isAgain(change: string, i: number, changes: readonly string[]): boolean {
  const path = (one: string) => one.slice(one.indexOf(' '))
  const isFolder = (one: string) => one.startsWith('mkdir')
  return isFolder(change) && changes.slice(0, i).some((one) => isFolder(one) && path(one) === path(change))
}

/**
 * In the long run every change beside the database that leaves something different behind, and of the database's own, which are
 * alike, the first, one in the middle and the last. Else one of each kind that leaves something different behind: half of the
 * secret, half of the folder, and a folder that was never opened.
 */
function chosen(changes: readonly string[], how: 'kill' | 'full'): number[] {
  const where = (test: (change: string) => boolean) =>
    changes.flatMap((change, i) => (test(change) && !isAgain(change, i, changes) ? [i] : []))
  const made = where((change) => change.includes('/pglite.new'))
  const opened = where((change) => change.includes('/pglite/'))
  const secret = where((change) => /^writeFile .*try-out\.json/.test(change))
  const others = where((change) => !/\/pglite(?:\.new|\/)|undefined/.test(change))
  const spread = (all: readonly number[], parts: number) =>
    Array.from({ length: parts + 1 }, (_, i) => all[Math.round((i * (all.length - 1)) / parts)])
  const few = how === 'kill' ? [secret[0], spread(made, 2)[1], opened[0]] : [made[9]]
  const all = LONG ? [...others, ...spread(made, 2), ...spread(opened, 2)] : few
  const ends = all.filter((number) => number !== undefined)
  const numbers = how === 'kill' ? ends : ends.flatMap((number) => failing(changes, number))
  return [...new Set(numbers)].sort((a, b) => a - b)
}

/** The first change from this one on that a full disk makes fail: the same for several, where those before it need no room. */
function failing(changes: readonly string[], from: number): number[] {
  const needsRoom = (change: string) => /^(?:mkdir|writeFile|link|write)(?:Sync)? (?!undefined$)/.test(change)
  const number = changes.findIndex((change, i) => i >= from && needsRoom(change))
  return number === -1 ? [] : [number]
}

async function stoppedStart(how: 'kill' | 'full', number: number): Promise<{ DATA_DIR: string; exit: Exit }> {
  const DATA_DIR = await temporaryFolder()
  const env = { DATA_DIR, WRITES_STOP: how, WRITES_STOP_AT: String(number), ...PRELOAD }
  const { child, exited } = await launch({ env })
  onTestFinished(() => void child.kill('SIGKILL'))
  // What is written last is not needed to serve: this server listens, with a full disk.
  child.stdout?.on('data', (text: Buffer) => {
    if (how === 'full' && text.includes('"msg":"listening"')) child.kill('SIGTERM')
  })
  return { DATA_DIR, exit: await exited }
}

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
    expect(server.stderr()).toContain(`http://localhost:${next}/demo`)
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

  let recorded: Promise<string[]> | undefined
  /** Recorded once for all tests. */
  const changesOfStart = () => {
    recorded ??= recordedChanges()
    return recorded
  }

  it('stores the secret before it makes the database', async () => {
    const changes = await changesOfStart()
    expect(changes.findIndex((change) => change.includes('/try-out.json'))).toBeLessThan(
      changes.findIndex((change) => change.includes('/pglite')),
    )
  })

  it.each(['kill', 'full'] as const)(
    'that ends at a change of the disk (%s) is followed by one that works',
    async (how) => {
      const changes = await changesOfStart()
      for (const number of chosen(changes, how)) {
        const { DATA_DIR, exit } = await stoppedStart(how, number)
        if (how === 'kill') expect(exit.signal, changes[number]).toBe('SIGKILL')
        await worksIn(DATA_DIR)
      }
    },
  )

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
