/** `pnpm registry`: a registry on this machine with all packages of this clone, until Ctrl-C or SIGTERM. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publisher, startRegistry } from './registry.ts'
import { release } from './release.ts'

const folder = mkdtempSync(join(tmpdir(), 'ostiary-registry-'))
const registry = await startRegistry(join(folder, 'registry'))
// A closed terminal sends SIGHUP.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, async () => {
    await registry.stop()
    rmSync(folder, { recursive: true, force: true })
    process.exit()
  })
const { version } = await release(join(folder, 'copy'), await publisher(registry))

console.log(`All packages are published as ${version} in a registry on this machine, until Ctrl-C. In another terminal:

  export npm_config_registry=${registry.url}

Then npm and npx work as the documentation says. After other changes of this clone, empty npm's cache: npm cache clean --force.`)
