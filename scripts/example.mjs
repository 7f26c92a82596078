/**
 * What the script `start` of an example does before the example runs: installs what it needs, and builds it with the packages that it
 * uses.
 *
 *   node ../../scripts/example.mjs   in the folder of the example
 */

import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCode, install, ROOT, step } from './steps.mjs'

const { name } = JSON.parse(readFileSync('package.json', 'utf8'))
const packages = manifestsIn('packages')
const examples = manifestsIn('examples')

await step('Installing the packages of the example', () => install(name))
await step('Building the example', async () => {
  // esbuild is there after the installation.
  const { build, ownOptions } = await import('./build.mjs')
  const needed = [...neededBy(name)]
  const ours = needed.flatMap((each) => packages.get(each) ?? [])
  await Promise.all(ours.map(({ folder }) => build(folder, ownOptions(folder) ?? {})))
  for (const example of needed.flatMap((each) => examples.get(each) ?? [])) await buildExample(example)
})
console.log('Starting the example …\n')

/** By name. */
function manifestsIn(group) {
  const folders = readdirSync(join(ROOT, group))
    .map((name) => join(ROOT, group, name))
    .filter((folder) => existsSync(join(folder, 'package.json')))
  const manifests = folders.map((folder) => ({
    folder,
    ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  }))
  return new Map(manifests.map((manifest) => [manifest.name, manifest]))
}

/** The packages of this repository that it needs, and itself: each behind those that it needs. */
function neededBy(name, found = new Set()) {
  const manifest = packages.get(name) ?? examples.get(name)
  if (manifest === undefined || found.has(name)) return found
  for (const needed of Object.keys(manifest.dependencies ?? {})) neededBy(needed, found)
  return found.add(name)
}

/** An example that a runtime takes from its source has no build. */
async function buildExample({ folder, scripts }) {
  if (scripts.build === undefined) return
  const pnpm = spawn('pnpm', ['run', 'build'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  const code = await exitCode(pnpm)
  if (code !== 0) process.exit(code ?? 1)
}
