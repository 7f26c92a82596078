/** The embedded database in separate processes, which run the built package (`dist`). */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '@ostiary/storage-postgres'
import { eventually } from '@ostiary/test-kit/eventually'
import { afterAll, describe, expect, it } from 'vitest'
import { FolderInUseError, pgliteExecutor } from '../src/index.js'

const root = mkdtempSync(join(tmpdir(), 'ostiary-embedded-'))
const PACKAGE = new URL('../dist/index.js', import.meta.url).href
const POSTGRES = new URL('../../storage-postgres/dist/index.js', import.meta.url).href
const OPEN = `import { pgliteExecutor } from '${PACKAGE}'
import { migrations } from '${POSTGRES}'
const executor = await pgliteExecutor(process.argv[1])
await migrations(executor).migrate()
`

interface Child {
  process: ChildProcess
  lines: () => string[]
  ended: Promise<unknown>
}

function run(script: string, folder: string): Child {
  const child = spawn(process.execPath, ['--input-type=module', '-e', OPEN + script, folder])
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk
    })
  }
  return { process: child, ended: once(child, 'close'), lines: () => text.split('\n').filter(Boolean) }
}

describe('the embedded database', () => {
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it('starts in a new folder with less than 350 MB of memory, and leaves one other file, the marker', async () => {
    const folder = join(root, 'a', 'data')
    const { ended, lines } = run(
      'console.log(process.resourceUsage().maxRSS / 1024); await executor.close()',
      folder,
    )
    await ended
    expect(lines()).toHaveLength(1)
    expect(Number(lines()[0])).toBeLessThan(350)
    expect(readdirSync(join(root, 'a'))).toEqual(['data', 'data.created'])
  })

  it('refuses a second process, and has every acknowledged write after kill -9', async () => {
    const folder = join(root, 'b')
    const write = `for (let n = 1; ; n += 1) {
      await executor.query('insert into oidc_revoked_tokens values ($1, $2, 0, 1)', ['r', String(n)])
      console.log(n)
    }`
    const { process: child, ended, lines } = run(write, folder)
    await eventually(() => lines().length >= 300)
    await expect(pgliteExecutor(folder)).rejects.toThrow(FolderInUseError)
    await expect(pgliteExecutor(folder)).rejects.toThrow(`in use by process ${child.pid} on `)
    child.kill('SIGKILL')
    await ended
    const acknowledged = lines().length
    const executor = await pgliteExecutor(folder)
    await migrations(executor).check()
    const [row] = await executor.query<{ n: number }>(
      'select count(*) as n from oidc_revoked_tokens where realm = $1',
      ['r'],
    )
    await executor.close()
    expect(row?.n).toBeGreaterThanOrEqual(acknowledged)
  })

  it('creates folders that only its own user can read', async () => {
    const folder = join(root, 'private')
    mkdirSync(folder, { mode: 0o755 })
    await (await pgliteExecutor(folder)).close()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'base')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'postgresql.conf')).mode & 0o777).toBe(0o600)
  })

  it('starts again in a folder whose first start was killed', async () => {
    const folder = join(root, 'c')
    mkdirSync(`${folder}.new`)
    writeFileSync(join(`${folder}.new`, 'PG_VERSION'), '')
    const executor = await pgliteExecutor(folder)
    expect(await executor.query('select $1::int8 as n', [7])).toEqual([{ n: 7 }])
    await executor.close()
    expect(existsSync(`${folder}.new`)).toBe(false)
  })

  it('refuses a folder with other files', async () => {
    const folder = join(root, 'd')
    mkdirSync(folder)
    writeFileSync(join(folder, 'thesis.txt'), 'years of work')
    await expect(pgliteExecutor(folder)).rejects.toThrow('holds no database, but is not empty')
    expect(readdirSync(folder)).toEqual(['thesis.txt'])
    rmSync(join(folder, 'thesis.txt'))
    await (await pgliteExecutor(folder)).close()
  })

  it('a transaction that fails changes nothing', async () => {
    const executor = await pgliteExecutor(join(root, 'e'))
    await executor.query('create table kept (n int)')
    const failing = executor.transaction(async (tx) => {
      await tx.query('insert into kept values ($1)', [1])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await executor.query('select n from kept')).toEqual([])
    await executor.close()
  })
})
