/** `pnpm dev`, in a copy of the sources in which nothing is built but the template of the embedded database. */

import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CleanUp } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { configFor, SECRET, type ServerProcess, startTestServer } from '@ostiary/test-kit/server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { demoSignIn } from './demo-sign-in.ts'
import { prepare } from './storages.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const NOT_COPIED = /\/(?:\.dev|test|\.vitest|\.cache|dist\/.*(?<!\.tar\.br))$/
const cleanUps: Parameters<CleanUp>[0][] = []
let clone = ''

beforeAll(async () => {
  clone = await temporaryFolder((clean) => cleanUps.push(clean))
  const packages = (await readdir(join(ROOT, 'packages'))).map((name) => `packages/${name}`)
  for (const folder of ['scripts', 'package.json', 'apps/node-server', ...packages])
    await cp(join(ROOT, folder), join(clone, folder), {
      recursive: true,
      // A link to another package then leads to that of the copy.
      verbatimSymlinks: true,
      filter: (path) => !NOT_COPIED.test(path),
    })
  await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
})

afterAll(async () => {
  for (const clean of cleanUps) await clean()
})

const startDev = () => startTestServer({ main: join(clone, 'scripts/dev.mjs'), args: [] })

/** A source whose text the server shows at /healthz. */
async function healthSource() {
  const path = join(clone, 'packages/host/src/server/health.ts')
  const text = await readFile(path, 'utf8')
  onTestFinished(() => writeFile(path, text))
  return { path, write: (status: string) => writeFile(path, text.replace("'ok' })", status)) }
}

async function health({ issuer }: ServerProcess): Promise<unknown> {
  const response = await fetch(`${issuer}/healthz`)
  const { status } = (await response.json()) as { status: unknown }
  return status
}

/** While the server restarts, nothing answers. */
const showsSoon = (server: ServerProcess, status: string) =>
  eventually(async () => (await health(server)) === status)

describe('pnpm dev', () => {
  it('serves from memory, with the demo, and leaves no process when it is ended', async () => {
    const dev = await startDev()
    expect(dev.logged('listening')).toMatchObject([{ storage: 'memory', file: null }])
    const { password } = JSON.parse(await readFile(join(dev.cwd, '.ostiary/try-out.json'), 'utf8'))
    expect(await demoSignIn(dev.issuer, password)).toMatchObject({ email: 'demo@example.com' })
    expect((await fetch(`${dev.issuer}/demo`)).status).toBe(200)
    // Resolves when every process has ended that writes to its output.
    expect(await dev.stop()).toMatchObject({ code: 0 })
    expect(dev.logged('stopped')).toHaveLength(1)
    await expect(health(dev)).rejects.toThrow('fetch failed')
  })

  it('restarts the server when a source changes; when a build fails, the server before goes on', async () => {
    const source = await healthSource()
    const dev = await startDev()
    expect(await health(dev)).toBe('ok')
    await source.write("'changed' })")
    await showsSoon(dev, 'changed')
    expect(dev.stderr()).not.toContain('The build has failed')

    await source.write("'broken' }")
    await eventually(() => dev.stderr().includes('The build has failed'))
    expect(dev.stderr()).toMatch(/\[ERROR\] Expected "\)"[\s\S]*packages\/host\/src\/server\/health\.ts:\d+/)
    expect(await health(dev)).toBe('changed')

    await source.write("'repaired' })")
    await showsSoon(dev, 'repaired')
    expect(await dev.stop()).toMatchObject({ code: 0 })
    expect(dev.logged('listening')).toHaveLength(3)
  })

  it('waits for a change when the server ends by a fault of its own', async () => {
    const source = await healthSource()
    const dev = await startDev()
    await source.write("'ok' })\nthrow new Error('the fault of a source')\nvoid ({})")
    await eventually(() => dev.stderr().includes('The server has ended (1).'))
    expect(dev.stderr()).toMatch(/health\.ts:\d+\n[\s\S]*the fault of a source/)
    await source.write("'repaired' })")
    await showsSoon(dev, 'repaired')
    expect(await dev.stop()).toMatchObject({ code: 0 })
  })

  it('leaves no server behind when it is killed', async () => {
    const dev = await startDev()
    dev.child.kill('SIGKILL')
    await eventually(() => dev.logged('stopped').length === 1)
    await expect(health(dev)).rejects.toThrow('fetch failed')
  })
})

/** The bundle that `pnpm dev` has made, which takes less time than another one. */
describe('the server of pnpm dev', () => {
  const main = () => join(clone, 'apps/node-server/.dev/main.js')
  const inFile = (storage: object) => (port: number) => ({
    ...configFor('https://app.example')(port),
    ...storage,
  })

  it.each([
    { named_by: 'nothing', storage: 'memory', keys: {}, env: {} },
    { named_by: 'an empty variable', storage: 'memory', keys: {}, env: { OSTIARY_STORAGE: '' } },
    { named_by: 'the file', storage: 'embedded', keys: { storage: 'database' }, env: {} },
    { named_by: 'a variable', storage: 'embedded', keys: {}, env: { OSTIARY_STORAGE: 'database' } },
  ])(
    'stores the records in $storage when the storage is named by $named_by',
    async ({ storage, keys, env }) => {
      const server = await startTestServer({
        main: main(),
        config: inFile(keys),
        env: { OIDC_SECRET: SECRET, ...env },
      })
      expect(server.logged('listening')).toMatchObject([{ storage }])
      expect(await server.stop()).toMatchObject({ code: 0 })
    },
  )

  it.each(['postgres', 'postgres and redis'] as const)('stores the records in %s', async (storage) => {
    const { env, remove } = await prepare(storage)
    onTestFinished(remove)
    const server = await startTestServer({
      main: main(),
      config: inFile({}),
      env: { OIDC_SECRET: SECRET, ...env },
    })
    expect(server.logged('listening')).toMatchObject([{ storage }])
    expect(await server.stop()).toMatchObject({ code: 0 })
  })
})
