/** `pnpm dev`, in a copy of the sources in which nothing is built but the template of the embedded database. */

import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CleanUp } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { configFor, SECRET, type ServerProcess, startServer, startTestServer } from '@ostiary/test-kit/server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { demoSignIn } from './demo-sign-in.ts'
import { prepare, type StorageName, type StorageSetup } from './storages.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
// Folders with a dot in a package and in node_modules are those of tests that run now, and of caches.
const NOT_COPIED =
  /\/(?:\.dev|test|\.vitest|\.cache|dist\/.*(?<!\.tar\.br))$|\/node_modules\/\.[\w-]+|\/packages\/[\w-]+\/\.[^/]+$/
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

const startDev = () => startServer({ main: join(clone, 'scripts/dev.mjs'), args: [] })

async function health({ issuer }: ServerProcess): Promise<unknown> {
  const response = await fetch(`${issuer}/healthz`)
  const { status } = (await response.json()) as { status: unknown }
  return status
}

describe('pnpm dev', () => {
  let dev: ServerProcess
  /** Changes the source of what the server shows at /healthz. */
  let writeHealth: (status: string) => Promise<void>
  /** While the server restarts, nothing answers. */
  const showsSoon = (status: string) => eventually(async () => (await health(dev)) === status)

  beforeAll(async () => {
    const path = join(clone, 'packages/host/src/server/health.ts')
    const text = await readFile(path, 'utf8')
    writeHealth = (status) => writeFile(path, text.replace("'ok' })", status))
    dev = await startDev()
    cleanUps.unshift(() => void dev.child.kill('SIGKILL'))
  })

  it('serves from memory, with the demo', async () => {
    expect(dev.logged('listening')).toMatchObject([{ storage: 'memory', file: null }])
    const { password } = JSON.parse(await readFile(join(dev.cwd, '.ostiary/try-out.json'), 'utf8'))
    expect(await demoSignIn(dev.issuer, password)).toMatchObject({ email: 'demo@example.com' })
    expect((await fetch(`${dev.issuer}/demo`)).status).toBe(200)
  })

  it('shows every page with invented data, by a server of its own on this machine', async () => {
    const preview = await eventually(
      () => /^Preview of all pages: (http:\/\/localhost:\d+\/)\n/m.exec(dev.stderr())?.[1] ?? false,
    )
    expect(await (await fetch(preview)).text()).toContain('<title>Preview of the pages</title>')
    const page = await fetch(new URL('fr/dark/Wrong%20password', preview))
    expect(await page.text()).toContain('<html lang="fr">')
    expect((await fetch(`${dev.issuer}/fr/dark/Wrong%20password`)).status).toBe(404)
  })

  it('restarts the server when a source changes; when a build fails, the server before goes on', async () => {
    expect(await health(dev)).toBe('ok')
    await writeHealth("'changed' })")
    await showsSoon('changed')
    expect(dev.stderr()).not.toContain('The build has failed')
    await writeHealth("'broken' }")
    await eventually(() => dev.stderr().includes('The build has failed'))
    expect(dev.stderr()).toMatch(/\[ERROR\] Expected "\)"[\s\S]*packages\/host\/src\/server\/health\.ts:\d+/)
    expect(await health(dev)).toBe('changed')
  })

  it('waits for a change when the server ends by a fault of its own', async () => {
    await writeHealth("'ok' })\nthrow new Error('the fault of a source')\nvoid ({})")
    await eventually(() => dev.stderr().includes('The server has ended (1).'))
    expect(dev.stderr()).toMatch(/health\.ts:\d+\n[\s\S]*the fault of a source/)
    await writeHealth("'repaired' })")
    await showsSoon('repaired')
  })

  it('leaves no process when it is ended', async () => {
    // Resolves when every process has ended that writes to its output.
    expect(await dev.stop()).toMatchObject({ code: 0 })
    expect(dev.logged('listening')).toHaveLength(3)
    expect(dev.logged('stopped')).toHaveLength(3)
    await expect(health(dev)).rejects.toThrow('fetch failed')
  })

  it('leaves no server behind when it is killed', async () => {
    const killed = await startDev()
    killed.child.kill('SIGKILL')
    await eventually(() => killed.logged('stopped').length === 1)
    await expect(health(killed)).rejects.toThrow('fetch failed')
  })
})

/** The bundle that `pnpm dev` has made, which takes less time than another one. */
describe('the server of pnpm dev', () => {
  it.each<[StorageName, string, StorageSetup['env']]>([
    ['memory', 'nothing', { OSTIARY_STORAGE: '' }],
    ['embedded', 'OSTIARY_STORAGE', { OSTIARY_STORAGE: 'database' }],
    ['postgres', 'database_url of the file', {}],
    ['postgres and redis', 'DATABASE_URL and REDIS_URL', {}],
  ])('stores the records in %s, which is named by %s', async (storage, named_by, env) => {
    const setup = await prepare(storage)
    onTestFinished(setup.remove)
    const { DATABASE_URL, ...others } = setup.env
    const inFile = named_by.includes('file')
    const server = await startTestServer({
      main: join(clone, 'apps/node-server/.dev/main.js'),
      config: (port: number) => ({
        ...configFor('https://app.example')(port),
        ...(inFile && { database_url: DATABASE_URL }),
      }),
      env: { OIDC_SECRET: SECRET, ...(inFile ? others : setup.env), ...env },
    })
    expect(server.logged('listening')).toMatchObject([{ storage }])
    expect(await server.stop()).toMatchObject({ code: 0 })
  })
})
