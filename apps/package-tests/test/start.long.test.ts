/** `pnpm start`, the first command of README.md, in a new clone on a machine that has Node, npm and nothing else of ours. */

import { megabytes } from '@ostiary/test-kit/folder'
import { freePort } from '@ostiary/test-kit/ports'
import { expect, it } from 'vitest'
import { PNPM } from './manifests.ts'
import { newClone, nodeModules, startedIn } from './new-clone.ts'

const MAX_INSTALLED_MB = 250

it('the first start installs less than 250 MB, says what it does, and warns of nothing', async () => {
  const clone = await newClone()
  const port = await freePort()
  clone.env.PORT = `${port}`
  const isHealthy = async () =>
    (await fetch(`http://localhost:${port}/healthz`).catch(() => null))?.ok === true
  const start = () => startedIn(clone, [...PNPM, 'start'], isHealthy)

  const first = await start()
  for (const said of [
    /^Installing the packages of the server/m,
    /^Building the server/m,
    /^Preparing the embedded database/m,
    /^Starting the server/m,
  ])
    expect(first).toMatch(said)
  expect(first).not.toMatch(/warn|telemetry|deprecat|notice|update available/i)
  // The home folder has npm's copy of pnpm and pnpm's store. The store shares its files with node_modules.
  expect(megabytes([clone.home, ...nodeModules(clone)])).toBeLessThan(MAX_INSTALLED_MB)

  expect(await start()).not.toMatch(/Downloading|warn/i)
}, 300_000)
