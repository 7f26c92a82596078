/** The file of the sign-ins, and the lock with which commands take turns. */

import { chmod, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { eventually } from '@ostiary/test-kit/eventually'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { describe, expect, it } from 'vitest'
import { configFolder } from '../src/store/config-folder.js'
import { credentialStore, type SignIn } from '../src/store/credentials.js'
import { withLock } from '../src/store/lock.js'
import { ownFolder } from './_hostile.ts'

const A = 'https://a.example.com'
const B = 'https://b.example.com'
const MIB = 1_048_576

const signIn = (refresh_token: string): SignIn => ({
  issuer: A,
  resource: `${A}/admin/api/v1`,
  scope: 'openid',
  sub: 'ann-1',
  username: null,
  signed_in_at: 1,
  refresh_token,
  dpop_key: null,
})

async function made() {
  const env = await ownFolder()
  const folder = join(env.XDG_CONFIG_HOME, 'ostiary')
  return { env, folder, file: join(folder, 'sign-ins.json'), store: credentialStore(env) }
}

describe('the folder', () => {
  it.each<[Record<string, string>, NodeJS.Platform, string]>([
    [{ HOME: '/home/ann' }, 'linux', '/home/ann/.config/ostiary'],
    [{ HOME: '/home/ann', XDG_CONFIG_HOME: '/etc/ann' }, 'linux', '/etc/ann/ostiary'],
    [{ HOME: '/home/ann', XDG_CONFIG_HOME: 'relative' }, 'darwin', '/home/ann/.config/ostiary'],
    [{ HOME: '/c/ann', APPDATA: '/c/data', XDG_CONFIG_HOME: '/x' }, 'win32', '/c/data/ostiary'],
    [{ HOME: '/c/ann', APPDATA: '' }, 'win32', '/c/ann/AppData/Roaming/ostiary'],
  ])('of %j on %s is %s', (env, platform, folder) => {
    expect(configFolder(env, platform)).toBe(folder)
  })
})

describe('the file', () => {
  it('has one sign-in for each server, and is written in place of the former one', async () => {
    const { store, file, folder } = await made()
    expect([...(await store.all())]).toEqual([])
    await Promise.all([store.put(A, signIn('a')), store.put(B, signIn('b'))])
    const { ino } = await stat(file)
    await store.put(A, signIn('a2'))
    expect((await stat(file)).ino).not.toBe(ino)
    expect(Object.fromEntries(await store.all())).toEqual({ [A]: signIn('a2'), [B]: signIn('b') })
    await store.put(A, null)
    expect([...(await store.all()).keys()]).toEqual([B])
    expect(await readdir(folder)).toEqual(['sign-ins.json'])
  })

  it('is for the user alone, whatever the mask of the process', async () => {
    const { store, file, folder } = await made()
    const former = process.umask(0)
    await store.put(A, signIn('a'))
    process.umask(former)
    expect([(await stat(folder)).mode & 0o777, (await stat(file)).mode & 0o777]).toEqual([0o700, 0o600])
  })

  it.each([0o640, 0o620, 0o604, 0o602, 0o610])('is refused with the mode %o', async (mode) => {
    const { store, file } = await made()
    await store.put(A, signIn('a'))
    await chmod(file, mode)
    const refused = `run chmod 600 ${file}`
    await expect(store.all()).rejects.toThrow(refused)
    await expect(store.put(A, signIn('b'))).rejects.toThrow(refused)
  })

  it('is refused in a folder in which others can write', async () => {
    const { store, folder } = await made()
    await mkdir(folder)
    await chmod(folder, 0o770)
    await expect(store.put(A, signIn('a'))).rejects.toThrow(`run chmod 700 ${folder}`)
    await chmod(folder, 0o755)
    await store.put(A, signIn('a'))
  })

  it('is refused when it is of another user', async () => {
    const { store, file } = await made()
    await mkdir(dirname(file))
    // A file of the system, which belongs to root, when the tests run as another user; else one of another.
    if (process.getuid?.() === 0) {
      await writeFile(file, '{}', { mode: 0o600 })
      const { chown } = await import('node:fs/promises')
      await chown(file, 12_345, 12_345)
    } else await symlink('/etc/hosts', file)
    await expect(store.all()).rejects.toThrow('belongs to another user')
  })

  it('is refused when it is another text', async () => {
    const entry = signIn('a')
    const texts = [
      '',
      '{',
      '[]',
      'null',
      '{}',
      '{"version":2,"servers":{}}',
      '{"version":1}',
      '{"version":1,"servers":{"x":null}}',
      JSON.stringify({ version: 1, servers: { [A]: { ...entry, refresh_token: 1 } } }),
      JSON.stringify({ version: 1, servers: { [A]: { ...entry, dpop_key: undefined } } }),
    ]
    const { store, file } = await made()
    await mkdir(dirname(file))
    for (const text of texts) {
      await writeFile(file, text, { mode: 0o600 })
      await expect(store.all(), text).rejects.toThrow('is not a file of sign-ins: remove it')
    }
  })

  it('has at most 1 MiB', async () => {
    const { store, file } = await made()
    await store.put(A, signIn('a'))
    const text = (await readFile(file, 'utf8')).trimEnd()
    await writeFile(file, text.padEnd(MIB))
    expect((await store.all()).size).toBe(1)
    await writeFile(file, text.padEnd(MIB + 1))
    await expect(store.all()).rejects.toThrow('is not a file of sign-ins')
  })
})

describe('the lock', () => {
  const lockFile = async () => join(await temporaryFolder(), 'x.lock')

  it('lets one run at a time, and goes when a run fails', async () => {
    const path = await lockFile()
    const steps: string[] = []
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const first = withLock(path, async () => {
      steps.push('first')
      await held
      steps.push('first ends')
      throw new Error('it fails')
    })
    const second = withLock(path, async () => void steps.push('second'))
    await eventually(() => steps.length > 0)
    expect(steps).toEqual(['first'])
    release()
    await expect(first).rejects.toThrow('it fails')
    await second
    expect(steps).toEqual(['first', 'first ends', 'second'])
    expect(await readdir(dirname(path))).toEqual([])
  })

  it('of a process that is gone is removed, by one of those that wait', async () => {
    const path = await lockFile()
    // No process has so high a number.
    await writeFile(path, `4194305 ${hostname()} x`)
    let running = 0
    const runs = Array.from({ length: 8 }, () =>
      withLock(path, async () => {
        running += 1
        await new Promise((resolve) => setImmediate(resolve))
        expect(running).toBe(1)
        running -= 1
      }),
    )
    await Promise.all(runs)
    expect(await readdir(dirname(path))).toEqual([])
  })

  it.each([
    ['of another machine', `${process.pid} elsewhere x`],
    ['that is empty', ''],
    ['of a process that runs', `${process.pid} ${hostname()} x`],
  ])('%s is removed after three minutes', async (_, text) => {
    const path = await lockFile()
    await writeFile(path, text)
    const age = async (seconds: number) => utimes(path, new Date(), new Date(Date.now() - seconds * 1000))
    let done = false
    await age(120)
    const run = withLock(path, async () => {
      done = true
    })
    // Another one, which is older, is removed meanwhile.
    const older = `${path}.older`
    await writeFile(older, text)
    await utimes(older, new Date(), new Date(Date.now() - 181_000))
    await withLock(older, async () => {})
    expect([done, await readFile(path, 'utf8')]).toEqual([false, text])
    await age(181)
    await run
    expect(done).toBe(true)
  })
})
