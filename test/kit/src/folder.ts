import { lstatSync, readdirSync } from 'node:fs'
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

/** What folders take on the disk; a file with several links counts once. */
export function megabytes(folders: string[]): number {
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
