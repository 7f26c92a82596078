/**
 * The commands with which the pages begin in a new clone install little, and warn of nothing on the oldest Node that is supported.
 * apps/registry-tests has those that take our packages from npm.
 */

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { megabytes } from '@ostiary/test-kit/folder'
import { freePort } from '@ostiary/test-kit/ports'
import { beforeAll, expect, it } from 'vitest'
import { ROOT, readManifest } from './manifests.ts'
import { newClone, nodeModules, startedIn } from './new-clone.ts'

const MAX_INSTALLED_MB = 120
const SECRET = 'only-for-tests-only-for-tests-only-for-tests'
const OLDEST_NODE = '20.19.0'

const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : pagesIn(path)
    return entry.name.endsWith('.md') ? [path] : []
  })

/** A command that starts something, or installs for production, with the pages that have it. */
function firstCommands(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const page of ['README.md', ...pagesIn('docs'), ...pagesIn('examples')]) {
    const blocks = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    const text = blocks.map(([, code = '']) => code).join('\n')
    const commands =
      text.match(/npx -y pnpm@[\d.]+ (?:(?:--filter \S+ )?start\b|install --prod[^\n]*)/g) ?? []
    for (const command of commands) found.set(command, [...(found.get(command) ?? []), page])
  }
  return found
}

const COMMANDS = [...firstCommands().keys()]
let bin: string

beforeAll(() => {
  expect(readManifest(ROOT)?.engines?.node).toBe(`>=${OLDEST_NODE}`)
  const name = `node-${process.platform}-${process.arch}@${OLDEST_NODE}`
  const args = ['--yes', '--prefer-offline', '--package', name, '--call', 'command -v node']
  bin = dirname(execFileSync('npx', args, { encoding: 'utf8' }).trim())
})

it('the commands are those of the server, of each example that starts, and of an installation', () => {
  const examples = readdirSync(join(ROOT, 'examples')).flatMap((name) => {
    const manifest = readManifest(join(ROOT, 'examples', name))
    return manifest?.scripts?.start === undefined ? [] : [`--filter ${manifest.name} start`]
  })
  expect(COMMANDS.map((command) => command.replace(/^npx -y pnpm@[\d.]+ /, '')).sort()).toEqual(
    [...examples, 'start', expect.stringMatching(/^install --prod/)].sort(),
  )
})

it.each(COMMANDS)(
  '%s',
  async (command) => {
    const clone = await newClone(bin)
    const port = await freePort()
    Object.assign(clone.env, { PORT: `${port}`, OIDC_SECRET: SECRET })
    // workerd has its port in a file, and says nothing.
    const answers = async (output: string) =>
      /^Starting the/m.test(output) &&
      (command.includes('-worker') || (await fetch(`http://localhost:${port}/`).catch(() => null)) !== null)
    const output = await startedIn(clone, command.split(' '), answers)
    expect(output).not.toMatch(/\bwarn\b|unsupported engine|deprecat|notice|update available/i)
    const installed = megabytes(nodeModules(clone))
    console.log(`${command}: ${installed.toFixed(0)} MB`)
    expect(installed).toBeLessThanOrEqual(MAX_INSTALLED_MB)
  },
  600_000,
)
