/** The commands of docs/your-own-server.md, docs/run-it.md and docs/upgrade.md, in a folder and a database of their own. */

import { once } from 'node:events'
import { existsSync, readFileSync, watch } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownDatabase } from '@ostiary/test-kit/database'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET } from '@ostiary/test-kit/server'
import { expect, it } from 'vitest'
import { fence, ROOT } from './fences.ts'
import { type Environment, emptyFolder, run, served, start, withPorts } from './shell.ts'

const PAGE = 'docs/your-own-server.md'

/** Where the server's program is: the pages mean an installed one. */
const installed = (block: string) => block.replaceAll('/opt/ostiary/dist', 'apps/node-server/dist')

/** The page's configuration in a folder, and what its variables are. */
async function place(more: Environment = {}) {
  const port = await freePort()
  const cwd = await emptyFolder()
  await writeFile(join(cwd, 'ostiary.config.json'), withPorts(fence(PAGE, '{'), { 3000: port }))
  const env = { OIDC_SECRET: SECRET, WORKER_SECRET: SECRET, ANN_PASSWORD: SECRET, PORT: `${port}`, ...more }
  return { cwd, env, issuer: `http://localhost:${port}` }
}

async function isIssuer(issuer: string): Promise<void> {
  const document = await fetch(`${issuer}/.well-known/openid-configuration`)
  expect(await document.json()).toMatchObject({ issuer })
}

it('your-own-server.md: a server with its own clients and users, with the secrets that it generates', async () => {
  const { cwd, env, issuer } = await place()
  const server = start(served(fence(PAGE, 'export OIDC_SECRET=')), { cwd, env: { PORT: env.PORT } })
  await server.says('"msg":"listening"')
  await isIssuer(issuer)
  expect(existsSync(join(cwd, '.ostiary'))).toBe(true)
})

it('your-own-server.md: a server with a PostgreSQL, whose tables it makes', async () => {
  const DATABASE_URL = await ownDatabase()
  const { cwd, env, issuer } = await place()
  const block = served(fence(PAGE, 'export DATABASE_URL=')).replace(/'postgres:[^']*'/, `'${DATABASE_URL}'`)
  await start(block, { cwd, env }).says('"msg":"listening"')
  await isIssuer(issuer)
  expect(existsSync(join(cwd, '.ostiary'))).toBe(false)
})

it('your-own-server.md, run-it.md, upgrade.md: migrations, keys, and doctor before and after', async () => {
  const { cwd, env } = await place({ DATABASE_URL: await ownDatabase() })
  const follow = (page: string, begins: string, more: Environment = {}) =>
    // The only command that is not the server's: there is no systemd here.
    run(installed(fence(page, begins)).replace('systemctl restart ostiary', ''), {
      cwd,
      env: { ...env, ...more },
    })
  const program = 'node apps/node-server/dist/main.js'
  const upgrade = 'docs/upgrade.md'
  const before = await follow(upgrade, `${program} doctor --offline`)
  expect(before).toContain('create table')
  expect(await follow(PAGE, `${program} migrate --plan`)).toContain('create table')
  expect(await follow('docs/run-it.md', 'node /opt/ostiary/dist/main.js migrate --plan')).not.toContain(
    'create table',
  )
  await follow(upgrade, `${program} migrate`)
  await start(served('npx -y pnpm@0 start'), { cwd, env }).says('"msg":"listening"')
  await follow(upgrade, `${program} doctor`)
  await follow('docs/run-it.md', 'node /opt/ostiary/dist/main.js doctor')
  const keys = await follow('docs/run-it.md', 'node /opt/ostiary/dist/main.js keys list')
  expect(keys.match(/RS256/g)).toHaveLength(1)
  const rotated = await follow('docs/run-it.md', 'node /opt/ostiary/dist/main.js secret rotate', {
    OIDC_SECRET: 'another-secret-for-the-tests-of-the-documentation',
    OIDC_SECRET_PREVIOUS: env.OIDC_SECRET,
  })
  expect(rotated).toMatch(/^default +2 +2 +0 +0$/m)
}, 480_000)

it('run-it.md: the embedded database moves to a PostgreSQL, and a realm leaves it and comes back', async () => {
  const { cwd, env } = await place()
  const DATABASE_URL = await ownDatabase()
  const kid = async (more: Environment) =>
    run('node apps/node-server/dist/main.js keys list --json', { cwd, env: { ...env, ...more } })
  const before = await kid({})
  const block = fence('docs/run-it.md', 'export DATABASE_URL=').replace(
    /'postgres:[^']*'/,
    `'${DATABASE_URL}'`,
  )
  expect(await run(installed(block), { cwd, env })).toMatch(/^oidc_signing_keys +1$/m)
  expect(await kid({ DATABASE_URL })).toBe(before)
  const realm = fence('docs/run-it.md', 'node /opt/ostiary/dist/main.js export --realm default')
  const copied = await run(installed(realm), { cwd, env: { ...env, DATABASE_URL } })
  expect(copied).toMatch(/^signing_key +0 +1 +0$/m)
}, 480_000)

it('run-it.md: the secrets of compose.yaml are those that the page creates', async () => {
  const cwd = await emptyFolder()
  const block = fence('docs/run-it.md', 'for name in OIDC_SECRET')
  await run(block.replace('docker compose up -d', ''), { cwd })
  const lines = (await readFile(join(cwd, '.env'), 'utf8')).trim().split('\n')
  const compose = readFileSync(join(ROOT, 'compose.yaml'), 'utf8')
  const asked = new Set([...compose.matchAll(/\$\{(\w+)/g)].map(([, name]) => name))
  expect(new Set(lines.map((line) => line.split('=')[0]))).toEqual(asked)
  for (const line of lines) expect(line).toMatch(/=[0-9a-f]{64}$/)
  // A command line is visible in the list of processes.
  const commands = [...compose.matchAll(/^ +(?:command|entrypoint|test):(?:.*)(?:\n +\[.*)?/gm)].map(
    ([line]) => line,
  )
  expect(commands.length).toBeGreaterThan(3)
  for (const command of commands) expect(command).not.toContain('${')
})

it('run-it.md: the log lines with an event form the audit log', async () => {
  const { cwd, env, issuer } = await place({ OSTIARY_STORAGE: 'memory' })
  const changed = watch(cwd)
  start(installed(fence('docs/run-it.md', 'node /opt/ostiary/dist/main.js serve |')), { cwd, env })
  const log = (name: string) => {
    const file = join(cwd, name)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
  while (!log('all.log').includes('"msg":"listening"')) await once(changed, 'change')
  await fetch(`${issuer}/oauth/token`, { method: 'POST', body: new URLSearchParams({ grant_type: 'none' }) })
  while (!log('audit.log').includes('request.refused')) await once(changed, 'change')
  changed.close()
  expect(log('all.log').split('\n').length).toBeGreaterThan(log('audit.log').split('\n').length)
  for (const line of log('audit.log').trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('event')
})
