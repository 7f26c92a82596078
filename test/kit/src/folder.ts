import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { CleanUp } from './database.ts'

/** A new folder, removed after the test. @returns Its path. */
export async function temporaryFolder(addCleanup: CleanUp = onTestFinished): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'ostiary-test-'))
  addCleanup(() => rm(path, { recursive: true, force: true }))
  return path
}
