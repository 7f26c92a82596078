import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { chart } from '../src/report/chart.js'
import { tables } from '../src/report/table.js'
import { measured } from './moment.js'

/** Every workload against every kind of server, for a short time. No check depends on the speed. */
describe('the benchmark, with every server', () => {
  it('every server on memory answers every workload correctly, and the report has them', async () => {
    const { result, servers } = await measured('--storage', 'memory')
    const ours = ['ostiary memory', 'ostiary memory (Bun)']
    expect(servers).toMatchObject({
      client_credentials: ['bare node:http', ...ours, 'oidc-provider memory', 'better-auth memory'],
      client_credentials_es256: ['bare node:http', ...ours, 'oidc-provider memory'],
      refresh_dpop: ['bare node:http', ...ours, 'oidc-provider memory'],
      guard: ['bare node:http', 'ostiary guard'],
      jwks_validation: ['bare node:http', 'ostiary resource-server', 'jose'],
      password_login: ['bare node:http', ...ours, 'better-auth memory'],
    })
    const text = tables(result)
    for (const { title } of result.workloads) expect(text).toContain(`### ${title}`)
    const bars = result.workloads.reduce((sum, workload) => sum + workload.servers.length, 0)
    expect(chart(result).match(/<rect /g)).toHaveLength(bars)
  }, 300_000)

  it('every server on PostgreSQL and Redis answers its workloads correctly, on Node and on Bun', async () => {
    const only = ['--only', 'authorization_code,client_credentials,password_login']
    const { servers } = await measured('--storage', 'mix', '--peers', 'none', ...only)
    const both = ['bare node:http', 'ostiary Postgres + Redis', 'ostiary Postgres + Redis (Bun)']
    expect(servers).toMatchObject({ client_credentials: both, password_login: both })
  }, 300_000)
})

it('the soak test runs every workload in turn for a minute, without an error', async () => {
  const program = fileURLToPath(new URL('../dist/commands/soak.js', import.meta.url))
  const child = spawn(process.execPath, [program, '--minutes', '1', '--storage', 'mix'])
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const [code] = await once(child, 'close')
  expect([code, output]).toEqual([0, expect.stringMatching(/^highest: .*; 0 errors$/m)])
}, 300_000)
