/** The server as its users get it: all packages from their tarballs, installed by npm in an empty folder. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@ostiary/test-kit/eventually'
import { freePort } from '@ostiary/test-kit/ports'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { PNPM, ROOT, sh } from './manifests.ts'
import { PUBLISHED } from './packages.ts'

const SECRET = 'of-the-server-that-npm-installed-0123456789'

let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ostiary-installed-'))
  const tarballs = join(folder, 'tarballs')
  const filters = Object.keys(PUBLISHED).flatMap((name) => ['--filter', `@ostiary/${name}`])
  await sh(ROOT, [...PNPM, ...filters, '-r', 'pack', '--pack-destination', tarballs])
  const files = readdirSync(tarballs)
    .filter((name) => !name.includes('storage-conformance'))
    .map((name) => join(tarballs, name))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  await sh(folder, ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', ...files])
}, 240_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('npm install @ostiary/server', () => {
  it('npx ostiary serve without a configuration: try-out mode, with the embedded database', async () => {
    const { url, says, output } = await served({})
    expect((await fetch(`${url}/demo`)).status).toBe(200)
    await says('Ostiary runs in try-out mode.')
    expect(output()).not.toMatch(/warn/i)
  })

  it('with a configuration, whose schema the program prints', async () => {
    const schema = await sh(folder, ['npx', 'ostiary', 'config', 'schema'])
    writeFileSync(join(folder, 'ostiary.config.schema.json'), schema)
    expect(JSON.parse(schema)).toMatchObject({ properties: { clients: expect.anything() } })
    const config = join(folder, 'ostiary.config.json')
    writeFileSync(
      config,
      JSON.stringify({
        $schema: './ostiary.config.schema.json',
        app: { url: 'http://localhost:3000' },
        clients: [{ client_id: 'notes', redirect_uris: ['http://localhost:8080/callback'] }],
      }),
    )
    onTestFinished(() => rmSync(config))
    const { url } = await served({ OIDC_SECRET: SECRET })
    const discovery = await fetch(`${url}/.well-known/openid-configuration`)
    expect(await discovery.json()).toMatchObject({ issuer: 'http://localhost:3000' })
    expect((await fetch(`${url}/demo`)).status).toBe(404)
  })

  it('says what to do when the package of the embedded database is missing', async () => {
    rmSync(join(folder, 'node_modules/@ostiary/storage-pglite'), { recursive: true })
    const failed = expect(served({})).rejects
    await failed.toThrow(/npm install @ostiary\/storage-pglite, or set DATABASE_URL/)
    await (await served({ OSTIARY_STORAGE: 'memory' })).says('try-out mode')
  })
})

interface Served {
  url: string
  /** Resolves when the server has printed this. @throws with what it printed, when it ends without. */
  says(text: string): Promise<void>
  output(): string
}

/** @throws with what the server printed, when it ends before it listens. */
async function served(env: Record<string, string>): Promise<Served> {
  const port = await freePort()
  const server = spawn('npx', ['ostiary', 'serve'], {
    cwd: folder,
    // npm's settings of the user who runs the tests do not matter.
    env: { PATH: process.env.PATH, HOME: folder, PORT: `${port}`, ...env },
    detached: true,
  })
  onTestFinished(() => stop(server))
  let output = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  const says = async (text: string): Promise<void> => {
    await eventually(() => output.includes(text) || server.exitCode !== null)
    if (!output.includes(text)) throw new Error(output)
  }
  await says('"msg":"listening"')
  return { url: `http://localhost:${port}`, says, output: () => output }
}

/** npx does not pass signals on: its whole group gets this one, as from Ctrl-C. */
async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  process.kill(-(server.pid ?? 0), 'SIGINT')
  await once(server, 'close')
}
