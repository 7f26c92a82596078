/** The package as it is published: packed, run by npm in an empty folder, installed from tarballs, started. */

import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@ostiary/test-kit/ports'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeFlow, startProject, variable } from './_flow.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const OURS = [
  'core',
  'resource-server',
  'identity',
  'host',
  'storage-pglite',
  'storage-postgres',
  'storage-redis',
]
const MINUTES = 60_000
const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const clean = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:npm_|pnpm_|GIT_)/i.test(name)),
)
const sh = (cwd: string, [program = '', ...args]: string[]) =>
  promisify(execFile)(program, args, { cwd, env: clean, timeout: 5 * MINUTES, maxBuffer: 8 * 1024 * 1024 })

let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ostiary-create-'))
  const filters = [...OURS.map((name) => `@ostiary/${name}`), 'create-ostiary', './apps/node-server']
  const filter = filters.flatMap((name) => ['--filter', name])
  await sh(ROOT, ['npx', '-y', packageManager, ...filter, '-r', 'pack', '--pack-destination', folder])
}, 5 * MINUTES)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const tarball = (name: string): string => {
  const file = readdirSync(folder).find((each) => each.startsWith(`${name}-`) && each.endsWith('.tgz'))
  if (!file) throw new Error(`There is no tarball of ${name}`)
  return join(folder, file)
}

it.each(['server', 'hono', 'express'])(
  '%s: created, installed, started, signed in to',
  async (template) => {
    const port = await freePort()
    const create = ['npm', 'exec', '--yes', `--package=${tarball('create-ostiary')}`, '--', 'create-ostiary']
    await sh(folder, [...create, template, '--template', template, '--port', String(port)])
    const project = join(folder, template)
    const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    // Nothing is published yet: every package of ours comes from its tarball.
    const overrides = Object.fromEntries(
      OURS.map((name) => [`@ostiary/${name}`, `file:${tarball(`ostiary-${name}`)}`]),
    )
    for (const name of Object.keys(manifest.dependencies).filter((each) => each.startsWith('@ostiary/')))
      manifest.dependencies[name] = `file:${tarball(name.slice(1).replace('/', '-'))}`
    for (const name of Object.keys(manifest.dependencies)) delete overrides[name]
    writeFileSync(join(project, 'package.json'), JSON.stringify({ ...manifest, overrides }, null, 2))
    await sh(project, ['npm', 'install', '--no-audit', '--no-fund'])
    if (manifest.scripts.typecheck) await sh(project, ['npm', 'run', 'typecheck'])
    const issuer = `http://localhost:${port}`
    // Not by `npm start`: npm does not pass a signal on.
    const stop = await startProject(project, manifest.scripts.start.split(' '), issuer)
    try {
      const redirect_uri = 'http://localhost:8080/callback'
      const claims = await codeFlow({ issuer, redirect_uri, password: variable(project, 'ANN_PASSWORD') })
      expect(claims).toMatchObject({ aud: 'app', name: 'Ann Example' })
    } finally {
      await stop()
    }
  },
  6 * MINUTES,
)
