import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@ostiary/test-kit/eventually'
import { afterAll, describe, expect, it } from 'vitest'
import { lockFolder } from '../src/folder-lock.js'
import { FolderInUseError } from '../src/index.js'
import { processSpace, startOf } from '../src/process-identity.js'

const root = mkdtempSync(join(tmpdir(), 'ostiary-lock-'))
const times = { interval_ms: 50, timeout_ms: 400 }
let folders = 0

/** A new folder, with a lock file if a content is given. */
function place(content?: object | string): { folder: string; file: string } {
  folders += 1
  const folder = join(root, `${folders}`)
  const file = `${folder}.lock`
  if (content !== undefined) {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return { folder, file }
}

const ownerOf = (pid: number, changes: object = {}) => ({
  pid,
  started: startOf(pid),
  space: processSpace(),
  host: 'a.example',
  since: '2026-01-01T00:00:00Z',
  ...changes,
})

async function aProcess(): Promise<{ pid: number; child: ChildProcess }> {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'])
  await once(child.stdout, 'data')
  return { pid: child.pid ?? 0, child }
}

describe('the lock of an embedded folder', () => {
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it('is held until its release', async () => {
    const { folder, file } = place()
    const release = await lockFolder(folder, times)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid, space: processSpace() })
    await expect(lockFolder(folder, times)).rejects.toThrow(FolderInUseError)
    await release()
    expect(existsSync(file)).toBe(false)
    await (await lockFolder(folder, times))()
  })

  it('its error names the owner, and says what to do', async () => {
    const { pid, child } = await aProcess()
    const { folder, file } = place(ownerOf(pid))
    const refusal = `${folder} is in use by process ${pid} on a.example, since 2026-01-01T00:00:00Z`
    await expect(lockFolder(folder, times)).rejects.toThrow(refusal)
    await expect(lockFolder(folder, times)).rejects.toThrow(/DATABASE_URL.*remove .*\.lock/)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await (await lockFolder(folder, times))()
    expect(existsSync(file)).toBe(false)
  })

  it.each([process.pid, process.ppid, 1])(
    'notices that number %d belongs to another process by now',
    async (pid) => {
      const { folder } = place(ownerOf(pid, { started: '1' }))
      await (await lockFolder(folder, times))()
    },
  )

  it('is taken over from an owner in another container or boot that no longer updates the file', async () => {
    const { folder } = place(ownerOf(process.pid, { space: 'elsewhere' }))
    await (await lockFolder(folder, times))()
  })

  it('is not taken over from an owner in another container that updates the file', async () => {
    const { folder, file } = place(ownerOf(1, { space: 'elsewhere' }))
    const beat = setInterval(() => utimesSync(file, new Date(), new Date()), 50)
    await expect(lockFolder(folder, times)).rejects.toThrow('in use by process 1 on a.example')
    clearInterval(beat)
  })

  it('updates the time of the file', async () => {
    const { folder, file } = place()
    const release = await lockFolder(folder, times)
    utimesSync(file, 1, 1)
    await eventually(() => statSync(file).mtimeMs > 1000)
    await release()
  })

  it('is taken over when its owner was killed while writing it', async () => {
    const { folder } = place('{"pid":')
    await (await lockFolder(folder, times))()
  })

  it('is not removed by an earlier owner', async () => {
    const { folder, file } = place()
    const release = await lockFolder(folder, times)
    const theirs = JSON.stringify(ownerOf(process.ppid))
    writeFileSync(file, theirs)
    await release()
    expect(readFileSync(file, 'utf8')).toBe(theirs)
  })

  it('is taken over by one of many processes that find a dead owner at the same time', async () => {
    const { folder } = place(ownerOf(process.pid, { started: '1' }))
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder, times)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results) if (result.status === 'fulfilled') await result.value()
    expect(readdirSync(root).filter((name) => name.includes('.lock.'))).toEqual([])
  })
})
