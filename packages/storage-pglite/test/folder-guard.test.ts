/** The folder of the database is removed or replaced, while the database is open and before it is opened. */

import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '@ostiary/storage-postgres'
import { isUnavailable } from '@ostiary/storage-postgres/errors'
import { expect, it, onTestFinished } from 'vitest'
import { DatabaseMissingError, FolderGoneError, pgliteExecutor } from '../src/index.js'

function dataDir(): { parent: string; folder: string } {
  const parent = mkdtempSync(join(tmpdir(), 'ostiary-gone-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  return { parent: join(parent, 'data'), folder: join(parent, 'data', 'pglite') }
}

async function opened(folder: string) {
  const executor = await pgliteExecutor(folder)
  await migrations(executor).migrate()
  await executor.query('insert into oidc_revoked_tokens values ($1, $2, 0, 1)', ['r', 'before'])
  return executor
}

const WRITE = `insert into oidc_revoked_tokens values ('r', 'lost', 0, 1)`
const COUNT = 'select count(*) as count from oidc_revoked_tokens'

it('removed with everything around it: nothing is answered from the open files, and the next start is refused', async () => {
  const { parent, folder } = dataDir()
  const executor = await opened(folder)
  rmSync(parent, { recursive: true })
  for (const work of [
    () => executor.query(WRITE),
    () => executor.query('select 1'),
    () => executor.transaction((tx) => tx.query(WRITE)),
  ]) {
    const error = await work().catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(FolderGoneError)
    expect(isUnavailable(error)).toBe(true)
  }
  await executor.close()
  // The process that saw it has put the marker back.
  expect(readdirSync(parent)).toEqual(['pglite.created'])
  await expect(pgliteExecutor(folder)).rejects.toThrow(DatabaseMissingError)
  await expect(pgliteExecutor(folder)).rejects.toThrow(`remove that file`)
  rmSync(`${folder}.created`)
  await (await opened(folder)).close()
})

it('removed during a transaction: its commit is not acknowledged', async () => {
  const { parent, folder } = dataDir()
  const executor = await opened(folder)
  const work = executor.transaction(async (tx) => {
    await tx.query(WRITE)
    rmSync(parent, { recursive: true })
  })
  await expect(work).rejects.toThrow(FolderGoneError)
  await executor.close()
})

it('replaced by a copy of itself: what is written would go to the old one', async () => {
  const { folder } = dataDir()
  const executor = await opened(folder)
  cpSync(folder, `${folder}.copy`, { recursive: true })
  renameSync(folder, `${folder}.old`)
  renameSync(`${folder}.copy`, folder)
  await expect(executor.query(WRITE)).rejects.toThrow(FolderGoneError)
  rmSync(folder, { recursive: true })
  renameSync(`${folder}.old`, folder)
  // Put back, it is the same database.
  expect(await executor.query(COUNT)).toEqual([{ count: 1 }])
  await executor.close()
})

it('missing at the start: refused, until it is put back', async () => {
  const { folder } = dataDir()
  await (await opened(folder)).close()
  renameSync(folder, `${folder}.backup`)
  await expect(pgliteExecutor(folder)).rejects.toThrow(
    `${folder} is missing, but ${folder}.created says that a database was there`,
  )
  expect(existsSync(folder)).toBe(false)
  renameSync(`${folder}.backup`, folder)
  const executor = await pgliteExecutor(folder)
  expect(await executor.query(COUNT)).toEqual([{ count: 1 }])
  await executor.close()
})
