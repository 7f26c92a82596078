/** The commands about the audit and roles when a server refuses, or answers something else. */

import { AdminApiError, type AdminConnection } from '@ostiary/admin-client'
import { expect, it } from 'vitest'
import { CONFIG, place, type Run, SERVER } from './_places.ts'

const over = (line: string) => [...line.split(' '), '--server', SERVER]

const READS = [
  'audit list',
  'audit show x',
  'audit diff --sub x --from 1d',
  'explain 7F3A-2C1D',
  'admin roles list',
]
const CHANGES = [
  'audit undo x --yes',
  'admin roles grant fay support',
  'admin roles revoke deploy owner --client',
]

it('support sees no audit and no roles', async () => {
  const { command, connect } = await place({ role: 'support' })
  for (const line of [...READS, ...CHANGES]) {
    const { code, printed } = await command(over(line), { connect })
    expect([line, code, printed]).toEqual([line, 3, undefined])
  }
})

it('an auditor reads both, and changes neither', async () => {
  const { command, connect, executor } = await place({ role: 'auditor' })
  const roles = () => executor.query('select * from oidc_roles order by holder, role')
  const before = await roles()
  await command('client create --id made --name One --redirect-uri https://made.example.com/cb')
  await command('client update made --name Two')
  expect((await command(over('admin roles list'), { connect })).code).toBe(0)
  const listed = await command(over('audit list --client made --type client.update'), { connect })
  const { rows = [] } = (listed.printed?.json ?? {}) as { rows?: { audit_id: string }[] }
  const undo = await command(over(`audit undo ${rows[0]?.audit_id} --yes`), { connect })
  expect([listed.code, rows.length, undo.code, undo.printed]).toEqual([0, 1, 3, undefined])
  for (const line of CHANGES) expect([line, (await command(over(line), { connect })).code]).toEqual([line, 3])
  expect(JSON.stringify((await command('client show made')).printed?.json)).toContain('Two')
  expect(await roles()).toEqual(before)
})

it('each export of a person has a row, on the machine and over the API; without an audit there is none', async () => {
  const line = 'user export fay'
  const rowsOf = ({ executor }: Awaited<ReturnType<typeof place>>) =>
    executor.query(`select actor, sub, outcome from oidc_audit where type = 'user.export' order by audit_id`)
  const audited = await place({ role: 'auditor' })
  await audited.command(line)
  await audited.command(over(line), { connect: audited.connect })
  expect(await rowsOf(audited)).toEqual([
    { actor: expect.stringMatching(/^cli:/), sub: 'fay-1', outcome: 'done' },
    { actor: 'client:deploy', sub: 'fay-1', outcome: 'done' },
  ])
  const bare = await place({ config: { ...CONFIG, audit: { enabled: false } } })
  await bare.command(line)
  const { code } = await bare.command(over(line), { connect: bare.connect })
  expect([code, await rowsOf(bare)]).toEqual([0, []])
})

it('a server without an audit says so', async () => {
  const { command, connect } = await place({ config: { ...CONFIG, audit: { enabled: false } } })
  for (const line of READS.filter((each) => !each.startsWith('admin'))) {
    const { code, failure } = await command(over(line), { connect })
    expect([line, code, failure]).toEqual([
      line,
      1,
      { message: 'The server keeps no audit: audit.enabled is false: nothing is kept', faults: undefined },
    ])
  }
})

const headers = new Headers()
const answers = (body: unknown, status = 200): AdminConnection['request'] => {
  return async () => {
    if (status >= 400) throw new AdminApiError(status, body as never)
    return { status, headers, body }
  }
}

async function ran(line: string, request: AdminConnection['request']): Promise<Run> {
  const { command } = await place()
  return command(over(line), { connect: async (server) => ({ server, request }) })
}

const ROW = {
  audit_id: 'row-1',
  realm: 'default',
  time: 1,
  type: 'user.update',
  outcome: 'done',
  actor: 'sub:ann-1',
  sub: null,
  client_id: null,
  flow: null,
  refs: [],
  count: 1,
  data: {},
}
const STEP = { time: 1, audit_id: 'row-1', what: 'It', actor: 'x', advice: null, before: null, reason: null }
const SCOPES = { default_scopes: [], optional_scopes: ['*'] }
const STORY = { flow: null, client_id: null, sub: null, realm_scopes: SCOPES, steps: [STEP] }

it.each([
  ['audit show row-1', { ...ROW, time: 'now' }],
  ['audit show row-1', { ...ROW, refs: 'x' }],
  ['audit show row-1', { ...ROW, outcome: 'other' }],
  ['audit show row-1', { ...ROW, data: 'x' }],
  ['audit show row-1', { ...ROW, before: [] }],
  ['audit show row-1', 'a page'],
  ['audit list', { items: 'x', next: null }],
  ['audit list', { items: [null], next: null }],
  ['explain 7F3A-2C1D', { stories: 'x' }],
  ['explain 7F3A-2C1D', { stories: [{ ...STORY, steps: [{ ...STEP, what: 1 }] }] }],
  ['explain 7F3A-2C1D', { stories: [{ ...STORY, steps: [{ ...STEP, before: ['x'] }] }] }],
  ['explain 7F3A-2C1D', { stories: [{ ...STORY, realm_scopes: null }] }],
  ['explain 7F3A-2C1D', { stories: [{ ...STORY, realm_scopes: { ...SCOPES, default_scopes: [1] } }] }],
  ['explain 7F3A-2C1D', { stories: [{ ...STORY, realm_scopes: { ...SCOPES, optional_scopes: 'x' } }] }],
  ['admin roles list', { items: [{ sub: 'x' }] }],
  ['admin roles list', { items: [{ role: 'owner', realms: ['*'] }] }],
  ['admin roles list', {}],
])('%s of %j is no answer of the admin API', async (line, body) => {
  const { code, failure } = await ran(line, answers(body))
  expect([code, JSON.stringify(failure)]).toEqual([
    1,
    expect.stringMatching(/not (?:that of )?the admin API/),
  ])
})

it('what a server says does not control the terminal', async () => {
  const evil = 'a\u001b[31m\u009b31m\u0007b'
  for (const [line, body] of [
    ['audit show row-1', { ...ROW, type: evil, data: { [evil]: evil }, before: { [evil]: evil } }],
    ['audit list', { items: [{ ...ROW, actor: evil }], next: null }],
    ['explain 7F3A-2C1D', { stories: [{ ...STORY, flow: evil, steps: [{ ...STEP, what: evil }] }] }],
    ['admin roles list', { items: [{ sub: null, client_id: evil, role: evil, realms: [evil] }] }],
  ] as const) {
    const { code, printed } = await ran(line, async ({ path }) =>
      /\/clients\//.test(path) ? answers({ client_id: evil })({} as never) : answers(body)({} as never),
    )
    expect([line, code]).toEqual([line, 0])
    expect([line, printed?.text]).toEqual([line, expect.not.stringMatching(/[^\P{Cc}\n]/u)])
    expect([line, JSON.stringify(printed?.json)]).toEqual([line, expect.not.stringMatching(/\p{Cc}/u)])
  }
})

it('a server that fails is a sentence with the id of the request', async () => {
  const problem = { type: 'about:blank', title: 'x', detail: 'Try again in a minute', request_id: 'r-1' }
  for (const line of [...READS, 'admin roles revoke gone owner --sub']) {
    const { code, failure } = await ran(line, answers(problem, 503))
    expect([line, code, JSON.stringify(failure)]).toEqual([
      line,
      1,
      expect.stringContaining('request_id: r-1'),
    ])
  }
})
