import { describe, expect, it } from 'vitest'
import { readOptions } from '../src/options.js'
import { chart } from '../src/report/chart.js'
import { tables } from '../src/report/table.js'
import { measure } from '../src/run/measure.js'
import { faults } from '../src/run/result.js'

const MOMENT = ['--short', '--runs', '1', '--seconds', '0.2', '--connections', '2']

async function measured(...args: string[]) {
  const options = readOptions([...MOMENT, ...args], '')
  if (options === 'help') throw new Error('no options')
  const result = await measure({ ...options, warm_up: 0 }, () => {})
  expect(faults(result)).toEqual([])
  expect(result.workloads.map(({ name }) => name)).toEqual(options.only)
  const servers = result.workloads.map(({ name, servers }) => [name, servers.map((server) => server.name)])
  return { result, servers: Object.fromEntries(servers) }
}

/** Every workload and every kind of server, each for a moment. Nothing here depends on how fast it is. */
describe('the benchmark, in short', () => {
  it('every server answers every workload rightly', async () => {
    const { result, servers } = await measured('--storage', 'memory')
    const ours = ['ostiary memory', 'ostiary memory (Bun)']
    expect(servers).toMatchObject({
      client_credentials: ['bare node:http', ...ours, 'oidc-provider memory', 'better-auth memory'],
      guard: ['bare node:http', 'ostiary guard'],
      jwks_validation: ['bare node:http', 'ostiary resource-server', 'jose'],
      password_login: ['bare node:http', ...ours, 'better-auth memory'],
    })
    const text = tables(result)
    for (const { title } of result.workloads) expect(text).toContain(`### ${title}`)
    expect(chart(result).match(/<rect /g)).toHaveLength(
      result.workloads.reduce((sum, { servers }) => sum + servers.length, 0),
    )
  }, 300_000)

  it('so do those that keep their records in PostgreSQL and Redis, on Node and on Bun', async () => {
    const only = ['--only', 'authorization_code,client_credentials,password_login']
    const { servers } = await measured('--storage', 'mix', '--peers', 'none', ...only)
    const both = ['bare node:http', 'ostiary Postgres + Redis', 'ostiary Postgres + Redis (Bun)']
    expect(servers).toMatchObject({ client_credentials: both, password_login: both })
  }, 300_000)
})
