/** Before the tests: a registry on this machine, and a release of all packages in it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { publisher, startRegistry } from './registry.ts'
import { release } from './release.ts'

export interface Published {
  registry: string
  /** The folder of the copy from which the packages were published, with the home folder `.home`. */
  copy: string
  names: string[]
  version: string
}

declare module 'vitest' {
  interface ProvidedContext {
    published: Published
  }
}

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'ostiary-registry-'))
  const registry = await startRegistry(join(folder, 'registry'))
  const end = async () => {
    await registry.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const copy = join(folder, 'copy')
    provide('published', {
      registry: registry.url,
      copy,
      ...(await release(copy, await publisher(registry))),
    })
  } catch (error) {
    await end()
    throw error
  }
  return end
}
