/** What a start says and refuses that does not depend on the runtime: `server.test.ts` has sockets, signals and the errors of a runtime. */

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@ostiary/test-kit/eventually'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { person } from '@ostiary/test-kit/person'
import {
  configFor,
  IN_MEMORY,
  PASSWORD,
  run,
  SECRET,
  startTestServer,
  USERNAME,
  WITHOUT_ARGON2,
} from '@ostiary/test-kit/server'
import { describe, expect, it } from 'vitest'

const CONFIG = configFor('http://localhost:8080/callback')

it('logs JSON lines, with the address and the storage', async () => {
  const server = await startTestServer({ config: CONFIG, env: { OIDC_SECRET: SECRET } })
  const { issuer, port } = server
  expect(server.logged('listening')).toEqual([expect.objectContaining({ issuer, port, host: '127.0.0.1' })])
  expect(server.stdout()).toContain('the records are in the embedded database')
  const { stdout } = await server.stop()
  for (const secret of [SECRET, PASSWORD]) expect(stdout).not.toContain(secret)
})

describe('try-out mode', () => {
  it('prints the address, the user and the password, and serves the demo; a second server on its database does not start', async () => {
    const server = await startTestServer()
    const { password } = JSON.parse(await readFile(join(server.cwd, '.ostiary/try-out.json'), 'utf8'))
    const text = server.stderr()
    for (const part of [`${server.issuer}/demo`, 'demo', password, 'embedded database'])
      expect(text).toContain(part)
    expect(server.stdout()).not.toContain(password)
    expect((await fetch(`${server.issuer}/demo`)).status).toBe(200)
    const second = await run({ env: { DATA_DIR: join(server.cwd, '.ostiary') } })
    expect(second.code).toBe(1)
    const in_use = `^ostiary: .*pglite is in use by process ${server.child.pid} on .*\\n$`
    expect(second.stderr).toMatch(new RegExp(in_use))
  })

  it('does not start in production without a file, and writes nothing; with --try-out it starts', async () => {
    const DATA_DIR = await temporaryFolder()
    const env = { DATA_DIR, NODE_ENV: 'production', HOST: '0.0.0.0' }
    const { code, stderr } = await run({ env })
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /ostiary\.config\.json does not exist, and try-out mode is refused because NODE_ENV is/,
      ),
    ])
    expect(await readdir(DATA_DIR)).toEqual([])
    const server = await startTestServer({
      env: { ...env, OSTIARY_STORAGE: 'memory' },
      args: ['serve', '--try-out'],
    })
    expect((await fetch(`${server.issuer}/demo`)).status).toBe(200)
  })
})

describe('a start that fails', () => {
  it('a misspelled key: exit code 1, and its path on stderr without a stack', async () => {
    const config = (port: number) => ({ ...CONFIG(port), cliens: [], oidc: { tokens: { acess_token: 1 } } })
    const { code, stdout, stderr } = await run({ config, env: { OIDC_SECRET: SECRET } })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(
      'ostiary: the configuration has 2 faults\n' +
        '  cliens: there is no such key; did you mean clients?\n' +
        '  oidc.tokens.acess_token: there is no such key; did you mean access_token?\n',
    )
  })

  it('an OSTIARY_CONFIG whose file does not exist', async () => {
    const { code, stderr } = await run({ env: { OSTIARY_CONFIG: 'nowhere.json' } })
    expect(code).toBe(1)
    expect(stderr).toMatch(/OSTIARY_CONFIG: nowhere\.json \(.*\) does not exist/)
  })

  it('but a server whose realms have no passwords starts without it, and a reload that turns them on is refused', async () => {
    const config = (enabled: boolean) => (port: number) => ({
      ...CONFIG(port),
      users: [{ username: USERNAME }],
      identity: { password: { enabled } },
    })
    const env = { ...IN_MEMORY, ...WITHOUT_ARGON2 }
    const server = await startTestServer({ config: config(false), env })
    const page = await person(server.issuer).open(`${server.issuer}/login?return_to=%2Faccount`)
    expect(page.html).not.toContain('name="password"')
    await writeFile(join(server.cwd, 'ostiary.config.json'), JSON.stringify(config(true)(server.port)))
    server.child.kill('SIGHUP')
    const refused = 'the configuration was not reloaded, the old one stays'
    await eventually(() =>
      expect(JSON.stringify(server.logged(refused))).toContain('@node-rs/argon2 cannot be loaded'),
    )
    expect((await fetch(`${server.issuer}/readyz`)).status).toBe(200)
  })

  it('REDIS_URL without DATABASE_URL', async () => {
    expect(await run({ env: { REDIS_URL: 'redis://127.0.0.1:6379' } })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('REDIS_URL: users and clients need DATABASE_URL'),
    })
  })
})

describe('the command line', () => {
  it('--help shows the usage', async () => {
    expect(await run({ args: ['--help'] })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Usage: /),
    })
  })

  it.each([
    [
      ['sevre'],
      /^error: unknown command 'sevre'\n\(Did you mean serve\?\)\n\nostiary --help lists the commands\.\n$/,
    ],
    [['serve', 'now'], /^error: too many arguments for 'serve'[^\n]+\n\nUsage: /],
    [[], /^error: name a command\n\nUsage: /],
  ])('%j: exit code 2 and what to type', async (args, text) => {
    expect(await run({ args })).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(text) })
  })
})
