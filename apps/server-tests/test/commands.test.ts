import { describe, expect, it, onTestFinished } from 'vitest'
import { ownDatabase } from '../../../packages/host/test/database.ts'
import { freePort, type Running, run, SECRET, type Start, startServer } from './server.ts'

async function started(start: Start): Promise<Running> {
  const server = await startServer(start)
  onTestFinished(() => void server.child.kill('SIGKILL'))
  return server
}

describe('migrate', () => {
  it('shows what it will do, does it, and then there is nothing to do', async () => {
    const env = { DATABASE_URL: await ownDatabase() }
    const plan = await run({ env, args: ['migrate', '--plan'] })
    expect(plan).toMatchObject({ code: 0, stderr: '' })
    expect(plan.stdout).toMatch(/^-- 0001-records would run:\n[\s\S]*create table oidc_clients/)
    // It changed nothing.
    expect(await run({ env, args: ['migrate', '--plan'] })).toEqual(plan)
    expect(await run({ env, args: ['migrate'] })).toMatchObject({
      ...{ code: 0, stderr: '', stdout: '0001-records has run\nThe schema is up to date.\n' },
    })
    for (const args of [['migrate'], ['migrate', '--plan']])
      expect(await run({ env, args })).toMatchObject({ code: 0, stdout: 'The schema is up to date.\n' })
    const server = await started({ env })
    expect(server.logged('listening')).toEqual([expect.objectContaining({ storage: 'postgres' })])
    expect(await server.stop()).toMatchObject({ code: 0 })
  })

  it('may run twice at once', async () => {
    const env = { DATABASE_URL: await ownDatabase() }
    const both = await Promise.all([run({ env, args: ['migrate'] }), run({ env, args: ['migrate'] })])
    expect(both).toEqual([expect.objectContaining({ code: 0 }), expect.objectContaining({ code: 0 })])
    expect(both.filter(({ stdout }) => stdout.includes('0001-records has run'))).toHaveLength(1)
  })

  it('needs DATABASE_URL, and a database that answers', async () => {
    expect(await run({ args: ['migrate'] })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('DATABASE_URL: set this variable'),
    })
    const env = { DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/x` }
    expect(await run({ env, args: ['migrate'] })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^ostiary: The database that DATABASE_URL names cannot be used: /),
    })
  })

  it('another argument: exit code 2 and the usage', async () => {
    expect(await run({ args: ['migrate', '--now'] })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^There is no command migrate --now\n\nUsage: /),
    })
  })
})

describe('keys', () => {
  it('list, and rotate: a new key is published beside the old one', async () => {
    const env = { DATABASE_URL: await ownDatabase(), OIDC_SECRET: SECRET }
    await run({ env, args: ['migrate'] })
    const first = await run({ env, args: ['keys', 'list'] })
    expect(first.stdout).toMatch(/^\S{43} RS256 created \S+Z signs from \S+Z\n$/)
    const rotated = await run({ env, args: ['keys', 'rotate'] })
    expect(rotated).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\S{43} is published and signs from/),
    })
    const listed = (await run({ env, args: ['keys', 'list', '--realm', 'default'] })).stdout
      .trim()
      .split('\n')
    expect(listed.map((key) => key.split(' ')[0])).toEqual(
      [first.stdout, rotated.stdout].map((key) => key.split(' ')[0]),
    )
  })

  it('of a server whose records are in memory: a sentence, and exit code 1', async () => {
    expect(await run({ env: { OSTIARY_STORAGE: 'memory' }, args: ['keys', 'list'] })).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('storage: what is in the memory of a server') },
    })
  })

  it('of a realm that is not there: a sentence, and exit code 1', async () => {
    const env = { DATABASE_URL: await ownDatabase() }
    await run({ env, args: ['migrate'] })
    expect(await run({ env, args: ['keys', 'list', '--realm', 'acme/../x'] })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--realm: there is no realm acme/../x'),
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
    [['sevre'], /^There is no command sevre\.?\n\nUsage: /],
    [['serve', 'now'], /^There is no command serve now\.?\n\nUsage: /],
    [[], /^Name a command\.\n\nUsage: /],
  ])('%j: exit code 2 and the usage', async (args, text) => {
    expect(await run({ args })).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(text) })
  })
})
