import { describe, expect, it } from 'vitest'
import { readOptions } from '../src/options.js'
import { chart } from '../src/report/chart.js'
import { tables } from '../src/report/table.js'
import { measure } from '../src/run/measure.js'
import { faults } from '../src/run/result.js'

/** Every workload and every kind of server, each for a moment. Nothing here depends on how fast it is. */
describe('the benchmark, in short', () => {
  const said: string[] = []
  const options = readOptions(['--short', '--runs', '1', '--seconds', '0.2', '--connections', '2'], '')

  it('every server answers every workload rightly', async () => {
    if (options === 'help') throw new Error('no options')
    const result = await measure({ ...options, warm_up: 0, storage: ['memory', 'mix'] }, (line) =>
      said.push(line),
    )
    expect(faults(result)).toEqual([])
    expect(result.workloads.map(({ name }) => name)).toEqual(options.only)
    const measured = result.workloads.map(({ name, servers }) => [name, servers.map((server) => server.name)])
    expect(Object.fromEntries(measured)).toMatchObject({
      client_credentials: [
        'bare node:http',
        'ostiary memory',
        'ostiary Postgres + Redis',
        'oidc-provider memory',
        'better-auth memory',
      ],
      guard: ['bare node:http', 'ostiary guard'],
      jwks_validation: ['bare node:http', 'ostiary resource-server', 'jose'],
      password_login: ['bare node:http', 'ostiary memory', 'ostiary Postgres + Redis', 'better-auth memory'],
    })
    const text = tables(result)
    for (const { title } of result.workloads) expect(text).toContain(`### ${title}`)
    expect(chart(result).match(/<rect /g)).toHaveLength(
      result.workloads.reduce((sum, { servers }) => sum + servers.length, 0),
    )
  }, 300_000)
})
