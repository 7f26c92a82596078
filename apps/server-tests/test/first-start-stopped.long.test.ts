/** A first start that ends at any change of the disk: the next one in the same folder works, and the demo signs in. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { type Exit, launch, startTestServer } from '@ostiary/test-kit/server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WEEKLY } from '../../../vitest.shared.ts'
import { worksIn } from './works-in.ts'

vi.setConfig({ testTimeout: 900_000 })

const PRELOAD = { NODE_OPTIONS: `--import ${new URL('stop-at-write.mjs', import.meta.url)}` }

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
 * In the weekly run every change beside the database that leaves something different behind, and of the database's own, which are
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
  const all = WEEKLY ? [...others, ...spread(made, 2), ...spread(opened, 2)] : few
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
})
