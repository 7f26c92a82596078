/** The commands of README.md, docs/run-it.md and docs/upgrade.md, in a folder and a database of their own. */

import { once } from 'node:events'
import { existsSync, readFileSync, watch } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ownDatabase } from '../../../packages/host/test/database.ts'
import { freePort, SECRET } from '../../server-tests/test/server.ts'
import { fence, ROOT } from './fences.ts'
import { type Environment, emptyFolder, run, served, start, withPorts } from './shell.ts'

/** Where the server's program is: the pages mean an installed one. */
const installed = (block: string) => block.replaceAll('/opt/ostiary/dist', 'apps/node-server/dist')

/** The README's configuration in a folder, and what its variables are. */
async function place(more: Environment = {}) {
  const port = await freePort()
  const cwd = await emptyFolder()
  await writeFile(join(cwd, 'ostiary.config.json'), withPorts(fence('README.md', '{'), { 3000: port }))
  const env = { OIDC_SECRET: SECRET, WORKER_SECRET: SECRET, ANN_PASSWORD: SECRET, PORT: `${port}`, ...more }
  return { cwd, env, issuer: `http://localhost:${port}` }
}

async function isIssuer(issuer: string): Promise<void> {
  const document = await fetch(`${issuer}/.well-known/openid-configuration`)
  expect(await document.json()).toMatchObject({ issuer })
}

it('README: a server with its own clients and users, with the secrets made there', async () => {
  const { cwd, env, issuer } = await place()
  const server = start(served(fence('README.md', 'export OIDC_SECRET=')), { cwd, env: { PORT: env.PORT } })
  await server.says('"msg":"listening"')
  await isIssuer(issuer)
  expect(existsSync(join(cwd, '.ostiary'))).toBe(true)
})

it('README: a server with a PostgreSQL, whose tables it makes', async () => {
  const DATABASE_URL = await ownDatabase()
  const { cwd, env, issuer } = await place()
  const block = served(fence('README.md', 'export DATABASE_URL=')).replace(/'postgres:[^']*'/, `'${DATABASE_URL}'`)
  await start(block, { cwd, env }).says('"msg":"listening"')
  await isIssuer(issuer)
  expect(existsSync(join(cwd, '.ostiary'))).toBe(false)
})

it('README, run-it.md, upgrade.md: migrations and keys', async () => {
  const { cwd, env } = await place({ DATABASE_URL: await ownDatabase() })
  const follow = (page: string, begins: string) =>
    // The only command that is not the server's; there is no systemd to ask.
    run(installed(fence(page, begins)).replace('systemctl restart ostiary', ''), { cwd, env })
  expect(await follow('README.md', 'node apps/node-server/dist/main.js migrate --plan')).toContain('create table')
  expect(await follow('docs/run-it.md', 'node /opt/ostiary/dist/main.js migrate --plan')).toMatch(/nothing|up to date/i)
  await follow('docs/upgrade.md', 'node apps/node-server/dist/main.js migrate\n')
  expect(await follow('docs/run-it.md', 'node /opt/ostiary/dist/main.js keys list')).toMatch(/RS256|sign/)
}, 120_000)

it('upgrade.md: doctor before with the schema as its fault, and after with a server that runs', async () => {
  const { cwd, env } = await place({ DATABASE_URL: await ownDatabase() })
  const page = 'docs/upgrade.md'
  const [offline = '', plan = ''] = fence(page, 'node apps/node-server/dist/main.js doctor --offline').split('\n')
  expect(await run(plan, { cwd, env })).toContain('create table')
  await run(fence(page, 'node apps/node-server/dist/main.js migrate\n'.trim()).trim(), { cwd, env }).catch(() => {})
  expect(await run(offline, { cwd, env })).not.toBe('')
  await start(served('npx -y pnpm@0 start'), { cwd, env }).says('"msg":"listening"')
  expect(await run('node apps/node-server/dist/main.js doctor', { cwd, env })).not.toBe('')
}, 120_000)

it('run-it.md: the secrets of compose.yaml are those that it asks for', async () => {
  const cwd = await emptyFolder()
  const block = fence('docs/run-it.md', 'for name in OIDC_SECRET')
  await run(block.replace('docker compose up -d', ''), { cwd })
  const lines = (await readFile(join(cwd, '.env'), 'utf8')).trim().split('\n')
  const compose = readFileSync(join(ROOT, 'compose.yaml'), 'utf8')
  const asked = new Set([...compose.matchAll(/\$\{(\w+)/g)].map(([, name]) => name))
  expect(new Set(lines.map((line) => line.split('=')[0]))).toEqual(asked)
  for (const line of lines) expect(line).toMatch(/=[0-9a-f]{64}$/)
})

it('run-it.md: the lines that have an event are an audit log of their own', async () => {
  const { cwd, env, issuer } = await place({ OSTIARY_STORAGE: 'memory' })
  await writeFile(join(cwd, 'audit.log'), '')
  const changed = watch(join(cwd, 'audit.log'))
  start(installed(fence('docs/run-it.md', 'node /opt/ostiary/dist/main.js serve |')), { cwd, env })
  const log = () => readFileSync(join(cwd, 'audit.log'), 'utf8')
  while (!log().includes('key.created')) await once(changed, 'change')
  await fetch(`${issuer}/oauth/token`, { method: 'POST', body: new URLSearchParams({ grant_type: 'password' }) }).catch(
    () => {},
  )
  changed.close()
  expect(readFileSync(join(cwd, 'all.log'), 'utf8')).toContain('"event":"key.created"')
  for (const line of log().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('event')
})
