/** The fields of a client that have a switch: in the configuration, and with `client create`, `update` and `show`. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { postgresExecutor, postgresStorage } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { beforeAll, expect, it } from 'vitest'
import { run } from '../src/index.ts'

const ISSUER = 'https://id.example.com'
const ON = {
  keys: { algorithms: ['RS256', 'ES256'] },
  dpop: 'on' as const,
  par: 'allowed',
}
const FIELDS = {
  id_token_signed_response_alg: 'ES256',
  dpop_bound_access_tokens: true,
  require_pushed_authorization_requests: true,
}
const CREATE = 'client create --id bound --redirect-uri https://client.example.com/cb'
const ALL =
  '--id-token-signed-response-alg ES256 --dpop-bound-access-tokens --require-pushed-authorization-requests'

let url: string
let storage: ReturnType<ReturnType<typeof postgresStorage>>
let folder: string
beforeAll(async () => {
  const cleanUps: (() => unknown)[] = []
  url = await migratedDatabase((clean) => cleanUps.push(clean))
  folder = await temporaryFolder((clean) => cleanUps.push(clean))
  const executor = postgresExecutor(url, { ...UNLIMITED, connections: 1 })
  storage = postgresStorage(executor)('default')
  return async () => {
    await executor.close()
    for (const clean of cleanUps.reverse()) await clean()
  }
})

/** Runs a command with this configuration. */
async function ostiary(line: string, config: object) {
  await writeFile(join(folder, 'ostiary.config.json'), JSON.stringify(config))
  const written = { out: '', err: '' }
  const code = await run(
    line.split(' '),
    { serve: async () => 0 },
    {
      env: { OIDC_SECRET: 'only-for-tests-only-for-tests-only-for-tests', DATABASE_URL: url },
      cwd: folder,
      stdin: async () => '',
      out: async (text) => {
        written.out += text
      },
      err: (text) => {
        written.err += text
      },
    },
  )
  return { code, ...written }
}
const on = (line: string) => ostiary(line, { oidc: { issuer: ISSUER, ...ON } })
const off = (line: string) => ostiary(line, { oidc: { issuer: ISSUER } })

it('client create, show and update with the switches on', async () => {
  expect(await on(`${CREATE} ${ALL}`)).toMatchObject({
    code: 0,
    // Its event, and nothing else.
    err: expect.stringMatching(/^\{.*"command":"client create".*\}\n$/),
  })
  expect(await storage.clients.find('bound')).toMatchObject(FIELDS)
  const shown = (await on('client show bound')).out
  for (const [name, value] of Object.entries(FIELDS))
    expect(shown).toMatch(new RegExp(`^${name} +${value}$`, 'm'))
  const changed = await on(
    'client update bound --unset id-token-signed-response-alg --dpop-bound-access-tokens false --require-pushed-authorization-requests false',
  )
  expect(changed.out).toMatch(
    /\nChanged: id_token_signed_response_alg, dpop_bound_access_tokens, require_pushed/,
  )
  expect(await storage.clients.find('bound')).toMatchObject({
    id_token_signed_response_alg: null,
    dpop_bound_access_tokens: false,
    require_pushed_authorization_requests: false,
  })
})

it.each([
  [
    '--id-token-signed-response-alg ES256',
    'id_token_signed_response_alg: ES256 is not in oidc.keys.algorithms',
  ],
  ['--dpop-bound-access-tokens', 'dpop_bound_access_tokens: DPoP is off: set oidc.dpop to "on"'],
  ['--require-pushed-authorization-requests', 'set oidc.par to "allowed"'],
])('client create %s with the switch off says which key to set', async (option, fault) => {
  const refused = await off(`${CREATE.replace('bound', 'other')} ${option}`)
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining(fault) })
  expect(await storage.clients.find('other')).toBeNull()
})

it('a client of the configuration: accepted with the switches on, a fault for each that is off', async () => {
  const clients = [{ client_id: 'configured', redirect_uris: ['https://client.example.com/cb'], ...FIELDS }]
  const check = (oidc: object) => ostiary('config print', { oidc: { issuer: ISSUER, ...oidc }, clients })
  expect(await check(ON)).toMatchObject({ code: 0 })
  const { code, out, err } = await check({})
  expect(code).toBe(1)
  for (const fault of [
    'clients.0.id_token_signed_response_alg: ES256 is not in oidc.keys.algorithms',
    'clients.0.dpop_bound_access_tokens: DPoP is off: set oidc.dpop to "on"',
    'clients.0.require_pushed_authorization_requests: pushed authorization requests are off: set oidc.par to "allowed"',
  ])
    expect(out + err).toContain(fault)
})
