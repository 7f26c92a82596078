/** `ostiary doctor` finds and names each prepared fault, and says what to do. */

import { freePort } from '@ostiary/test-kit/ports'
import { evictingRedis } from '@ostiary/test-kit/redis'
import { type Exit, run, startServer, WITHOUT_ARGON2 } from '@ostiary/test-kit/server'
import { expect, it, vi } from 'vitest'
import { database, inThisProcess, START } from './commands.ts'
import { CASES, type FaultSetup, OFFLINE, withKeys } from './doctor-cases.ts'

// Each starts a process, which is slow on a busy machine.
vi.setConfig({ maxConcurrency: 3, testTimeout: 300_000 })

/** As a process where the fault is one of the process, and in this one otherwise. */
async function look({ env = {}, config, args = OFFLINE, main }: FaultSetup): Promise<Exit> {
  const given = { ...START.env, ...env }
  if (main !== undefined || env === WITHOUT_ARGON2 || env.DATA_DIR !== undefined)
    return run({ config: config ?? START.config, env: given, args, ...(main !== undefined && { main }) })
  const PORT = String(await freePort())
  return inThisProcess(args.join(' '), {
    env: { PORT, ...given },
    config: config ?? START.config(Number(PORT)),
  })
}

it.concurrent.for(CASES)('$name', async ({ check, message, advice, prepare }, { onTestFinished }) => {
  const { code, stdout, stderr } = await look(await prepare(onTestFinished))
  expect([code, stderr]).toEqual([1, ''])
  const { checks, faults } = JSON.parse(stdout)
  expect(faults).toBe(1)
  expect(checks.filter(({ status }: { status: string }) => status === 'fault')).toEqual([
    {
      check,
      status: 'fault',
      message: expect.stringMatching(message),
      advice: expect.stringMatching(advice),
    },
  ])
  expect(stdout).not.toContain('hush')
  expect(stdout).not.toContain('the wrong one')
})

it.concurrent('without a fault: exit code 0, beside a running server and on its database', async ({
  onTestFinished,
}) => {
  const { env, executor } = await withKeys(onTestFinished)
  const server = await startServer({ config: START.config, env })
  onTestFinished(() => void server.child.kill('SIGKILL'))
  const { code, stdout } = await run({ config: START.config, port: server.port, env, args: ['doctor'] })
  expect([code, stdout]).toEqual([0, expect.stringMatching(/\nNo faults\.\n$/)])
  for (const check of [
    'port: a server listens on port',
    'answers with its discovery document',
    'database: answers',
    'keys: of realm default',
  ])
    expect(stdout).toContain(check)

  await executor.query('update oidc_signing_keys set signs_from = signs_from - 200 * 86400')
  const later = await run({ config: START.config, port: server.port, env, args: ['doctor'] })
  expect(later.code).toBe(0)
  expect(later.stdout).toMatch(
    /^note +keys: the one of realm default has signed for 200 days\n +Run ostiary keys rotate\.$/m,
  )
})

it.concurrent('a Redis without sessions may evict records: a note; one with sessions has to allow INFO', async ({
  onTestFinished,
}) => {
  const { env, quick } = await database(onTestFinished)
  const REDIS_URL = await evictingRedis(onTestFinished)
  const seen = async (url: string, sessions: string) => {
    const given = { ...env, REDIS_URL: url, OSTIARY_SESSIONS: sessions }
    const { code, stdout } = await quick(OFFLINE.join(' '), { env: given })
    const { checks } = JSON.parse(stdout)
    return { code, checks: checks.filter(({ check }: { check: string }) => check === 'redis') }
  }
  expect(await seen(REDIS_URL, 'database')).toMatchObject({
    code: 0,
    checks: [{ status: 'ok' }, { status: 'note', advice: 'Set maxmemory-policy to noeviction.' }],
  })
  expect(await seen(REDIS_URL.replace('//', '//limited:hush@'), 'redis')).toMatchObject({
    code: 1,
    checks: [{ status: 'fault', message: expect.stringContaining('may not run INFO') }],
  })
})

it.concurrent('demo records of try-out mode are faults until the commands that it names have run', async ({
  onTestFinished,
}) => {
  const { env, quick } = await database(onTestFinished)
  const demo = await startServer({ env, args: ['serve', '--try-out'] })
  await demo.stop()
  const lookedAt = async () => {
    const { checks } = JSON.parse((await quick(OFFLINE.join(' '))).stdout)
    return checks.filter(({ status }: { status: string }) => status === 'fault')
  }
  const found = await lookedAt()
  expect(found).toEqual([
    expect.objectContaining({ check: 'database', advice: 'Run ostiary client delete demo.' }),
    expect.objectContaining({ check: 'database', advice: 'Run ostiary user delete demo.' }),
  ])
  for (const line of ['client delete demo', 'user delete demo'])
    expect(await quick(`${line} --yes`)).toMatchObject({ code: 0 })
  expect(await lookedAt()).toEqual([])
})

it.concurrent('changes nothing: an empty database and an empty folder stay empty', async ({
  onTestFinished,
}) => {
  const { env, storage } = await database(onTestFinished)
  const { code, stdout } = await run({ ...START, env, args: ['doctor', '--offline'] })
  expect([code, stdout]).toEqual([0, expect.stringContaining('keys: realm default has none yet')])
  expect(await storage.keys.list()).toEqual([])
})
