/** Commands on the embedded database: beside the server that has it open, and without one. */

import { lstat, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run as runHere } from '@ostiary/host'
import { eventually } from '@ostiary/test-kit/eventually'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { person } from '@ostiary/test-kit/person'
import { freePort } from '@ostiary/test-kit/ports'
import { type Exit, run, type StartOptions, startTestServer } from '@ostiary/test-kit/server'
import { expect, it, vi } from 'vitest'
import { START } from './commands.ts'

vi.setConfig({ testTimeout: 600_000 })

/** Where a server of this configuration has an embedded database. */
async function place() {
  const DATA_DIR = await temporaryFolder()
  const start = { ...START, port: await freePort(), env: { ...START.env, DATA_DIR } }
  const command = (line: string, more: StartOptions = {}) => run({ ...start, ...more, args: line.split(' ') })
  return { DATA_DIR, start, command, socket: join(DATA_DIR, 'pglite.sock') }
}

const WORKER = 'client create --id worker --confidential --grant client_credentials'
const PASSWORD = 'a long passphrase of Bob'

interface Line {
  line: string
  code: number
  stdin?: string
}

/** Each with what comes after it on the same database: the last ones fail. */
const LINES: readonly Line[] = [
  { line: `${WORKER} --json`, code: 0 },
  { line: 'user create bob --password-stdin', code: 0, stdin: `${PASSWORD}\n` },
  { line: 'user list', code: 0 },
  { line: 'client list --limit 2', code: 0 },
  { line: 'keys rotate', code: 0 },
  { line: 'simulate authorization worker --parameter response_type=code', code: 0 },
  { line: 'simulate authorization worker --user bob --json', code: 0 },
  { line: 'simulate tokens worker --user bob', code: 0 },
  { line: 'simulate sign-in --user bob --address 192.0.2.1', code: 0 },
  { line: 'purge', code: 0 },
  { line: 'export', code: 0 },
  { line: WORKER, code: 1 },
  { line: 'user show nobody --json', code: 3 },
  { line: 'simulate tokens worker --user nobody', code: 3 },
  { line: 'user list --realm nowhere', code: 3 },
]

/** Without what is drawn anew or is the time: keys, ids, secrets, times, and the order of users, which is that of their ids. */
const told = ({ code, stdout, stderr }: Exit) => ({
  code,
  stdout: withoutChance(stdout).split('\n').sort().join('\n'),
  stderr: withoutChance(stderr),
})
const withoutChance = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?/g, '<time>')
    .replace(/\b1[6-9]\d{8}\b/g, '<seconds>')
    .replace(/[\w-]{20,}/g, '<id>')
    .replace(/ +/g, ' ')

async function outputs(command: (line: string, more?: StartOptions) => Promise<Exit>) {
  const exits: Record<string, ReturnType<typeof told>> = {}
  let secret = ''
  for (const { line, stdin } of LINES) {
    const exit = await command(line, stdin === undefined ? {} : { stdin })
    if (line.startsWith(WORKER) && exit.code === 0) secret = JSON.parse(exit.stdout).client_secret
    exits[line] = told(exit)
  }
  return { exits, secret }
}

/** What `doctor` says about what is stored. */
async function findings(command: (line: string) => Promise<Exit>) {
  const { code, stdout } = await command('doctor --offline --json')
  const { checks } = JSON.parse(stdout) as { checks: { check: string; status: string; message: string }[] }
  const stored = checks.filter(({ check }) => ['database', 'clock', 'keys'].includes(check))
  return { code, stored: JSON.parse(withoutChance(JSON.stringify(stored))) as object[] }
}

it('have the same output and exit codes beside the server and without it, and the server uses what they store', async () => {
  const [alone, beside] = [await place(), await place()]
  await (await startTestServer(alone.start)).stop()
  const server = await startTestServer(beside.start)
  expect((await lstat(beside.socket)).mode & 0o777).toBe(0o600)

  const without = await outputs(alone.command)
  const { exits, secret } = await outputs(beside.command)
  expect(exits).toEqual(without.exits)
  expect(Object.values(exits).map(({ code }) => code)).toEqual(LINES.map(({ code }) => code))
  const seen = await findings(beside.command)
  expect(seen).toEqual(await findings(alone.command))
  expect(seen).toMatchObject({ code: 0 })
  expect(JSON.stringify(seen)).toContain('(embedded)')

  const token = await fetch(`${server.issuer}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'worker',
      client_secret: secret,
    }),
  })
  expect([token.status, await token.json()]).toEqual([200, expect.objectContaining({ token_type: 'Bearer' })])
  const { keys } = JSON.parse((await beside.command('keys list --json')).stdout) as {
    keys: { kid: string }[]
  }
  expect(keys).toHaveLength(2)
  const discovery = await fetch(`${server.issuer}/.well-known/openid-configuration`)
  const { jwks_uri } = (await discovery.json()) as { jwks_uri: string }
  await eventually(async () => {
    const jwks = (await (await fetch(jwks_uri)).json()) as { keys: { kid: string }[] }
    expect(jwks.keys.map(({ kid }) => kid).sort()).toEqual(keys.map(({ kid }) => kid).sort())
  })
  const bob = person(server.issuer)
  const login = await bob.open(`${server.issuer}/login?return_to=%2Faccount`)
  const account = await bob.submit(login, { username: 'bob', password: PASSWORD })
  expect([account.status, account.url.pathname]).toEqual([200, '/account'])
  expect(server.stderr()).toBe('')
})

it('that need the database alone are refused beside it, as a second server is; nothing changes', async () => {
  const { start, command } = await place()
  const server = await startTestServer(start)
  const refusal = new RegExp(
    `^ostiary: .*pglite is in use by process ${server.child.pid} on .*A second server, and a command that needs the embedded`,
  )
  for (const line of ['database restored --nothing-lost --yes', 'serve']) {
    const refused = await command(line, { port: await freePort() })
    expect([line, refused.code, refused.stdout]).toEqual([line, 1, ''])
    expect(refused.stderr).toMatch(refusal)
  }
  expect(await command('client list --limit 1')).toMatchObject({ code: 0 })
})

it('go on after the server was killed, whose socket the next server replaces', async () => {
  const { start, command, socket } = await place()
  const server = await startTestServer(start)
  expect(await command(WORKER)).toMatchObject({ code: 0 })
  const before = await lstat(socket)
  server.child.kill('SIGKILL')
  await eventually(async () => expect(await command('client revoke worker --yes')).toMatchObject({ code: 0 }))
  expect((await lstat(socket)).ino).toBe(before.ino)
  await startTestServer(start)
  expect((await lstat(socket)).ino).not.toBe(before.ino)
  expect((await command('client list --search worker')).stdout).toMatch(/^worker .* revoked/m)
})

it('whose server stops meanwhile fail with a sentence that says what is stored', async () => {
  const { DATA_DIR, start, command } = await place()
  const server = await startTestServer(start)
  const { keys } = JSON.parse((await command('keys list --json')).stdout) as { keys: { kid: string }[] }
  const cwd = await mkdtemp(join(tmpdir(), 'ostiary-commands-'))
  await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(START.config(start.port)))
  const err: string[] = []
  const code = await runHere(
    ['keys', 'revoke', `${keys[0]?.kid}`],
    { serve: async () => 0 },
    {
      env: { ...START.env, DATA_DIR, PORT: `${start.port}` },
      cwd,
      stdin: async () => '',
      out: () => {},
      err: (text) => void err.push(text),
      async ask() {
        await server.stop()
        return 'y'
      },
    },
  )
  expect(code).toBe(1)
  expect(err.join('')).toMatch(
    /\nostiary: The server that has the embedded database open, process \d+ on .*, has stopped .*Run the command again\.\n$/,
  )
  expect(JSON.parse((await command('keys list --json')).stdout)).toEqual({ keys })
})

it('make and delete realms of the server beside them, which knows in time', async () => {
  const { start, command } = await place()
  const env = {
    ...start.env,
    OSTIARY_REALMS_AT_RUN_TIME: 'true',
    OSTIARY_OIDC__ROUTES__REALMS: 'path',
    OSTIARY_OIDC__REALMS: '{"default":{}}',
  }
  await startTestServer({ ...start, env })
  const document = `http://localhost:${start.port}/realms/shop/.well-known/openid-configuration`
  const status = async () => (await fetch(document)).status
  expect(await status()).toBe(404)
  expect(await command('realm create shop', { env })).toMatchObject({ code: 0 })
  await eventually(async () => expect(await status()).toBe(200))
  expect((await command('realm list', { env })).stdout).toMatch(/^shop +made at run time/m)
  expect(await command('realm delete shop --yes', { env })).toMatchObject({ code: 0 })
  await eventually(async () => expect(await status()).toBe(404))
  expect(await command('realm show shop', { env })).toMatchObject({ code: 3 })
})
