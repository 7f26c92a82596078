import { expect, it } from 'vitest'
import { chart } from '../src/report/chart.js'
import { tables } from '../src/report/table.js'
import { measured } from './moment.js'

/** Every workload, with one Ostiary server and the bare server. No check depends on the speed. */
it('the benchmark, in short: both servers answer every workload correctly, and the report has them', async () => {
  const { result, servers } = await measured('--storage', 'memory', '--peers', 'none', '--runtime', 'node')
  expect(servers).toMatchObject({
    client_credentials: ['bare node:http', 'ostiary memory'],
    guard: ['bare node:http', 'ostiary guard'],
    jwks_validation: ['bare node:http', 'ostiary resource-server'],
    password_login: ['bare node:http', 'ostiary memory'],
  })
  const text = tables(result)
  for (const { title } of result.workloads) expect(text).toContain(`### ${title}`)
  expect(chart(result).match(/<rect /g)).toHaveLength(
    result.workloads.reduce((sum, { servers }) => sum + servers.length, 0),
  )
}, 300_000)
