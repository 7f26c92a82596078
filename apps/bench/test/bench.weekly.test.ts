import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { eventually } from '@ostiary/test-kit/eventually'
import { describe, expect, it, onTestFinished } from 'vitest'
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
    const { result, servers } = await measured('--storage', 'mix', '--peers', 'none', ...only)
    const both = ['bare node:http', 'ostiary Postgres + Redis', 'ostiary Postgres + Redis (Bun)']
    expect(servers).toMatchObject({ client_credentials: both, password_login: both })
    for (const { name, servers } of result.workloads)
      for (const { statements } of servers.slice(1))
        if (name === 'client_credentials') expect(statements).toBeLessThan(1)
        else expect(statements).toBeGreaterThan(1)
  }, 300_000)
})

describe('the comparison of two builds', () => {
  const program = fileURLToPath(new URL('../dist/commands/bench.js', import.meta.url))

  /** A folder for the temporary files of a process, and the checkouts in it. */
  async function ownFolder() {
    const folder = await mkdtemp(join(tmpdir(), 'bench-test-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const checkouts = async () =>
      (await readdir(folder)).filter((name) => name.startsWith('ostiary-compare-'))
    return { env: { ...process.env, TMPDIR: folder }, checkouts }
  }

  it('builds the commit, measures both builds in turn, and removes the folder', async () => {
    const { env, checkouts } = await ownFolder()
    const args = ['--compare', 'HEAD', '--only', 'client_credentials', '--runs', '1', '--seconds', '0.2']
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env })
    expect(stdout).toMatch(/^Before: [0-9a-f]{7,} \(.*\)\. After: the working tree at [0-9a-f]{7,}/)
    for (const server of ['memory', 'Postgres'])
      expect(stdout).toMatch(
        new RegExp(`^\\| Client credentials \\| ostiary ${server} \\|.* too few runs`, 'm'),
      )
    expect(await checkouts()).toEqual([])
  }, 600_000)

  it('by pairs: both builds answer in turn', async () => {
    const { env, checkouts } = await ownFolder()
    const only = ['--only', 'userinfo,password_login', '--runs', '1']
    const args = ['--compare', 'HEAD', ...only, '--pairs', '100', '--storage', 'memory']
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env })
    for (const workload of ['UserInfo', 'Password login'])
      expect(stdout).toMatch(new RegExp(`^\\| ${workload}.* \\| ostiary memory \\|.* too few starts`, 'm'))
    expect(await checkouts()).toEqual([])
  }, 600_000)

  it('removes the folder after SIGTERM', async () => {
    const { env, checkouts } = await ownFolder()
    const child = spawn(process.execPath, [program, '--compare', 'HEAD', '--only', 'userinfo'], { env })
    const exited = once(child, 'close')
    for await (const text of child.stderr.setEncoding('utf8')) if (text.includes('building')) break
    await eventually(async () => expect(await checkouts()).not.toEqual([]))
    child.kill('SIGTERM')
    await exited
    expect(await checkouts()).toEqual([])
  })

  it('says that a commit is not there', async () => {
    const failed = promisify(execFile)(process.execPath, [program, '--compare', 'no-such-branch'])
    await expect(failed).rejects.toMatchObject({
      stderr: '--compare: there is no commit no-such-branch in this repository\n',
    })
  })
})

it('the soak test runs every workload in turn, without an error', async () => {
  const program = fileURLToPath(new URL('../dist/commands/soak.js', import.meta.url))
  const child = spawn(process.execPath, [program, '--minutes', '0.2', '--step', '2', '--storage', 'mix'])
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const [code] = await once(child, 'close')
  expect([code, output]).toEqual([0, expect.stringMatching(/^highest: .*; 0 errors$/m)])
  const workloads = [...output.matchAll(/^\d+,(\w+),[1-9]/gm)].map(([, name]) => name)
  expect(new Set(workloads)).toEqual(
    new Set(['client_credentials', 'authorization_code', 'refresh', 'introspection', 'userinfo']),
  )
}, 300_000)
