/** A PostgreSQL that answers and cannot write: a standby, a lost synchronous standby. full-disk.mount.test.ts has a full disk. */

import { startReplication } from '@ostiary/local-services/replication'
import { run, SECRET } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished } from 'vitest'
import { clients, QUICK_KEYS, users } from './client.ts'
import { provider } from './provider.ts'
import { untilReadyz } from './ready.ts'
import { report } from './report.ts'

const config = (origin: string) => ({ app: { url: origin }, oidc: { keys: QUICK_KEYS }, clients, users })

const doctor = async (DATABASE_URL: string) => {
  const { stdout } = await run({
    config: config('http://localhost:3000'),
    env: { DATABASE_URL, OIDC_SECRET: SECRET },
    args: ['doctor', '--offline', '--json'],
  })
  const { checks } = JSON.parse(stdout) as { checks: { status: string; message: string; advice: string }[] }
  return checks.flatMap(({ status, message, advice }) =>
    status === 'fault' ? [`${message}. ${advice}`] : [],
  )
}

it('a standby: the start and doctor name it; a lost synchronous standby: not ready, and doctor says why', async () => {
  const { primary, standby, stop } = await startReplication({ synchronous: true })
  onTestFinished(stop)
  const { origin } = await provider({ config, env: { DATABASE_URL: primary.url } })
  expect(await doctor(primary.url)).toEqual([])
  const named = `127.0.0.1:${standby.port} is a standby (pg_is_in_recovery)`
  const { code, stderr } = await run({
    config: config('http://localhost:3000'),
    env: { DATABASE_URL: standby.url, OIDC_SECRET: SECRET },
  })
  expect(code).toBe(1)
  expect(stderr).toMatch(/^ostiary: The database that DATABASE_URL names cannot be used: [^\n]+\n$/)
  expect(stderr).toContain(named)
  expect(await doctor(standby.url)).toEqual([expect.stringContaining(named)])

  await standby.pause()
  const not_ready_after = await untilReadyz(origin, 503)
  expect(await doctor(primary.url)).toEqual([expect.stringContaining('and none is connected')])
  await standby.resume()
  const ready_after = await untilReadyz(origin, 200)
  expect(await doctor(primary.url)).toEqual([])
  report('A synchronous standby that is gone and comes back', {
    seconds_until_not_ready: not_ready_after,
    seconds_until_ready: ready_after,
  })
})
