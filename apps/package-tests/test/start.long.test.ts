/** `pnpm start`, the first command of README.md, in a new clone on a machine that has Node, npm and nothing else of ours. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@ostiary/test-kit/ports'
import { expect, it, onTestFinished } from 'vitest'
import { PNPM, ROOT, sh } from './manifests.ts'

const MAX_INSTALLED_MB = 250

it('the first start installs less than 250 MB, says what it does, and warns of nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ostiary-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [home, clone] = [join(folder, 'home'), join(folder, 'clone')]
  mkdirSync(home)
  await sh(folder, ['git', 'clone', '-q', ROOT, clone])

  const port = await freePort()
  const first = await started(clone, home, port)
  for (const said of [
    /^Installing the packages of the server/m,
    /^Building the server/m,
    /^Preparing the embedded database/m,
    /^Starting the server/m,
  ])
    expect(first).toMatch(said)
  expect(first).not.toMatch(/warn|telemetry|deprecat|notice|update available/i)
  // The home folder has npm's copy of pnpm and pnpm's store. The store shares its files with node_modules.
  const installed = [home, ...nodeModules(clone)]
  expect(megabytes(installed)).toBeLessThan(MAX_INSTALLED_MB)

  const second = await started(clone, home, port)
  expect(second).not.toMatch(/Downloading|warn/i)
}, 300_000)

/** @returns What `pnpm start` printed until the server answered and was stopped. */
async function started(clone: string, home: string, port: number): Promise<string> {
  const [command = '', ...args] = [...PNPM, 'start']
  const env = { ...machine(home), PORT: `${port}` }
  const start = spawn(command, args, { cwd: clone, env, detached: true })
  let output = ''
  for (const stream of [start.stdout, start.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  try {
    await answers(`http://localhost:${port}/healthz`, start)
  } catch (error) {
    throw new Error(output, { cause: error })
  } finally {
    // npx does not pass signals on: its whole group gets this one, as from Ctrl-C.
    if (start.exitCode === null) {
      process.kill(-(start.pid ?? 0), 'SIGINT')
      await once(start, 'close')
    }
  }
  return output
}

/** The environment of a new user of the machine, and what its network needs. */
function machine(home: string): NodeJS.ProcessEnv {
  const { PATH, NODE_EXTRA_CA_CERTS: cafile } = process.env
  return { PATH, HOME: home, ...(cafile && { NODE_EXTRA_CA_CERTS: cafile, npm_config_cafile: cafile }) }
}

async function answers(url: string, process: ChildProcess): Promise<void> {
  for (;;) {
    if (process.exitCode !== null) throw new Error(`pnpm start ended with ${process.exitCode}`)
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    await new Promise((wake) => setTimeout(wake, 50))
  }
}

const nodeModules = (clone: string): string[] =>
  [
    '.',
    ...['packages', 'apps'].flatMap((group) =>
      readdirSync(join(clone, group)).map((name) => join(group, name)),
    ),
  ]
    .map((folder) => join(clone, folder, 'node_modules'))
    .filter((folder) => lstatSync(folder, { throwIfNoEntry: false }))

/** On the disk; a file with several links counts once. */
function megabytes(folders: string[]): number {
  const seen = new Set<number>()
  let blocks = 0
  const add = (path: string) => {
    const stat = lstatSync(path)
    if (seen.has(stat.ino)) return
    seen.add(stat.ino)
    blocks += stat.blocks
    if (stat.isDirectory()) for (const name of readdirSync(path)) add(join(path, name))
  }
  folders.forEach(add)
  return (blocks * 512) / 1024 ** 2
}
