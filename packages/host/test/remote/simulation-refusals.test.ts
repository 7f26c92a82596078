/** The commands of simulations when a server refuses, or answers something else. */

import { AdminApiError, type AdminConnection } from '@ostiary/admin-client'
import { expect, it } from 'vitest'
import { place, type Run, SERVER } from './_places.ts'

const over = (line: string) => [...line.split(' '), '--server', SERVER]

const SIGN_IN = 'simulate sign-in --user fay'
const TOKENS = 'simulate tokens fixed --sub fay-1'
const AUTHORIZATION = 'simulate authorization fixed'
const headers = new Headers()

/** A server that answers a simulation as it is told, and finds users. */
async function answering() {
  const { command, connect } = await place()
  return (line: string, simulation: AdminConnection['request']): Promise<Run> =>
    command(over(line), {
      async connect(server) {
        const { request } = await connect(server)
        return { server, request: (call) => (call.method === 'POST' ? simulation(call) : request(call)) }
      },
    })
}

it('each role simulates what the API lets it simulate', async () => {
  const codes: Record<string, number[]> = {}
  for (const role of ['support', 'auditor'] as const) {
    const { command, connect } = await place({ role })
    const runs = [SIGN_IN, TOKENS, AUTHORIZATION, `${AUTHORIZATION} --sub fay-1`]
    codes[role] = []
    for (const line of runs) codes[role].push((await command(over(line), { connect })).code)
  }
  expect(codes).toEqual({ support: [0, 3, 3, 3], auditor: [0, 0, 0, 0] })
})

it('each has the same row, on the machine and over the API', async () => {
  const { command, connect, executor } = await place()
  for (const line of [SIGN_IN, TOKENS, AUTHORIZATION, `${AUTHORIZATION} --sub fay-1`]) {
    await command(line)
    await command(over(line), { connect })
  }
  const rows = await executor.query(
    `select actor, sub, client_id, outcome, data::json->>'operation' as operation from oidc_audit where type = 'simulation' order by audit_id`,
  )
  const both = (row: object) => [
    { ...row, outcome: 'done', actor: expect.stringMatching(/^cli:/) },
    { ...row, outcome: 'done', actor: 'client:deploy' },
  ]
  expect(rows).toEqual([
    ...both({ operation: 'simulate.sign_in', sub: null, client_id: null }),
    ...both({ operation: 'simulate.tokens', sub: 'fay-1', client_id: 'fixed' }),
    ...both({ operation: 'simulate.authorization', sub: null, client_id: 'fixed' }),
    ...both({ operation: 'simulate.authorization', sub: 'fay-1', client_id: 'fixed' }),
  ])
})

it.each([
  ['too many at once', 429, 'Four are running'],
  ['no result', 409, 'A document would have to be read'],
])('%s says what the API says', async (_, status, detail) => {
  const answered = await answering()
  const found = await answered(AUTHORIZATION, () =>
    Promise.reject(new AdminApiError(status, { type: 'x', title: 'x', detail })),
  )
  expect(found).toMatchObject({ code: 1, failure: { message: detail } })
})

const REFUSED = {
  result: 'refused',
  reason: 'x',
  hint: 'x',
  setting: null,
  scopes: null,
  user_is_active: null,
}
const ISSUED = {
  result: 'tokens',
  scopes: ['openid'],
  token_type: 'Bearer',
  expires_in: 1,
  refresh_token: true,
}
const KNOWN = { is_known: true, sub: 's', username: 'u', is_disabled: false, ways: [], second_factor: 'none' }
const OFFERED = { ways: [], leads_to: null, user: KNOWN, limits: [] }
/** An object without one member. */
const without = <T extends object>(name: keyof T, { [name]: _, ...rest }: T) => rest

it.each<[string, object, string[]]>([
  [AUTHORIZATION, REFUSED, ['result', 'reason', 'hint', 'setting', 'scopes', 'user_is_active']],
  [TOKENS, ISSUED, ['result', 'scopes', 'token_type', 'expires_in', 'refresh_token']],
  [SIGN_IN, OFFERED, ['ways', 'leads_to', 'user', 'limits']],
])('%s shows no answer of another server', async (line, whole, names) => {
  const answered = await answering()
  const told = (body: unknown) => answered(line, async () => ({ status: 200, headers, body }))
  expect(await told(whole)).toMatchObject({ code: 0, printed: { json: whole } })
  const others = names.map((name) => without(name as never, whole))
  for (const body of [null, [], { hello: 'world' }, { ...whole, [names[0] ?? '']: 7 }, ...others])
    expect([body, await told(body)]).toMatchObject([
      body,
      { code: 1, failure: { message: expect.stringContaining('is not that of the admin API') } },
    ])
})

it('a known user without one of its members is none', async () => {
  const answered = await answering()
  for (const name of ['sub', 'username', 'is_disabled', 'ways', 'second_factor'] as const) {
    const body = { ...OFFERED, user: without(name, KNOWN) }
    const found = await answered(SIGN_IN, async () => ({ status: 200, headers, body }))
    expect([name, found]).toMatchObject([
      name,
      { code: 1, failure: { message: expect.stringContaining('is not that of the admin API') } },
    ])
  }
})

it('no text of a server controls the terminal', async () => {
  const nasty = 'a\u001b]0;x\u0007\u009b31m'
  const token = {
    claims: [{ name: nasty, value: nasty, from: nasty }],
    withheld: [],
    bytes: 1,
    read_by: [nasty],
  }
  const runs = [
    [AUTHORIZATION, { ...REFUSED, reason: nasty, hint: nasty, setting: nasty, error: nasty }],
    [TOKENS, { ...ISSUED, scopes: [nasty], token_type: nasty, id_token: token }],
    [SIGN_IN, { ...OFFERED, user: { ...KNOWN, sub: nasty, username: nasty }, leads_to: nasty }],
  ] as const
  const answered = await answering()
  for (const [line, body] of runs) {
    const { code, printed } = await answered(line, async () => ({ status: 200, headers, body }))
    expect([line, code]).toEqual([line, 0])
    for (const text of [printed?.text, JSON.stringify(printed?.json)])
      expect(text).not.toMatch(/[^\P{Cc}\n]/u)
  }
})
