/** `--plan` with `--server`: each command that changes something says what it would change, and nothing is stored. */

import type { AdminCall } from '@ostiary/admin-client'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands/index.ts'
import { run } from '../../src/index.ts'
import { type Given, MAILS, type Place, place, SERVER, UPSTREAM } from './_places.ts'
import { giveRealms, RUN_TIME } from './_realm-rows.ts'
import { giveAccess, giveDocuments, giveWays, idOf } from './_records.ts'

interface Row extends Given {
  line: string | ((place: Place) => Promise<string>)
  before?: (place: Place) => Promise<unknown>
  config?: object
  /** In the text. */
  says: readonly string[]
}

const MADE = 'client create --id made --redirect-uri https://made.example.com/callback'
const made = ({ command }: Place) => command(`${MADE} --confidential`)
const kidOf = async ({ storage }: Place) => (await storage.keys.list())[0]?.kid ?? ''

const ROWS: Record<string, Row> = {
  'client create': { line: MADE, says: ['the record', 'https://made.example.com/callback'] },
  'client update': {
    line: 'client update made --name Other',
    before: made,
    says: ['/client_name', '"Other"'],
  },
  'client revoke': { line: 'client revoke made', before: made, says: ['/revoked_at'] },
  'client rotate-secret': {
    line: 'client rotate-secret made',
    before: made,
    says: ['/client_secret  not shown'],
  },
  'client delete': { line: 'client delete made', before: made, says: ['the record'] },
  'client documents forget': {
    line: 'client documents forget https://b.example.com/client.json',
    before: giveDocuments,
    says: ['the record', 'https://b.example.com/client.json'],
  },
  'consent revoke': { line: 'consent revoke bob fixed', before: giveAccess, says: ['grants 2, consents 2'] },
  'grant revoke': { line: 'grant revoke bob --client fixed', before: giveAccess, says: ['grants 2'] },
  'session end': { line: 'session end --user bob', before: giveAccess, says: ['sessions 1'] },
  'throttle reset': { line: 'throttle reset --address 192.0.2.10', says: ['sessions 0'] },
  'keys rotate': { line: 'keys rotate', says: ['keys 1'] },
  'keys revoke': { line: async (of) => `keys revoke -- ${await kidOf(of)}`, says: ['keys 1'] },
  'user create': { line: 'user create cem --no-password', says: ['the record', '"cem"'] },
  'user update': {
    line: 'user update bob --claim name=Bob',
    before: giveAccess,
    says: ['/claims/name', '"Bob"'],
  },
  'user disable': { line: 'user disable bob', before: giveAccess, says: ['/disabled_at', 'sessions 1'] },
  'user enable': {
    line: 'user enable bob',
    before: async (of) => {
      await giveAccess(of)
      await of.command('user disable bob')
    },
    says: ['/disabled_at'],
  },
  'user set-password': {
    line: 'user set-password bob --password-stdin',
    before: giveAccess,
    stdin: 'an unusual passphrase of five',
    says: ['/password  not shown'],
  },
  'user factors remove': {
    line: `user factors remove bob --id ${idOf('app')}`,
    before: giveWays,
    says: ['the record', '"totp"'],
  },
  'user links remove': {
    line: 'user links remove bob --upstream google',
    before: giveWays,
    config: UPSTREAM,
    says: ['the record', 'google'],
  },
  'user recovery-link': { line: 'user recovery-link bob', before: giveAccess, says: ['the record'] },
  'user invite': { line: 'user invite gil@example.com', says: ['the record', 'gil@example.com'] },
  'user delete': {
    line: 'user delete bob',
    before: giveAccess,
    says: ['the record', 'sessions 1, grants 2'],
  },
  'mail test': { line: 'mail test ann@example.com', config: MAILS, says: ['No member would change'] },
  'admin roles grant': {
    line: 'admin roles grant bob support',
    before: giveAccess,
    says: ['the record', '"support"'],
  },
  'admin roles revoke': {
    line: 'admin roles revoke bob support',
    before: async (of) => {
      await giveAccess(of)
      await of.command('admin roles grant bob support')
    },
    says: ['the record', '"support"'],
  },
  'realm create': { line: 'realm create acme', config: RUN_TIME, says: ['the record', '"acme"'] },
  'realm update': {
    line: 'realm update acme --settings {"identity":{"second_factor":"required"}}',
    before: giveRealms,
    config: RUN_TIME,
    says: ['/identity/second_factor', '"required"'],
  },
  'realm delete': {
    line: 'realm delete acme',
    before: giveRealms,
    config: RUN_TIME,
    says: ['the record', 'users 0', 'clients 0'],
  },
}
/** It changes something on the machine alone. */
const LISTS = 'keys list'
/** It has an option of this name of its own, here and there. */
const OWN_PLAN = 'audit undo'

/** Everything that is stored, but for the rows of the audit, which has one for a plan, and counters of requests. */
async function everything({ executor }: Place): Promise<unknown> {
  const tables = await executor.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_name not like 'oidc_audit%' and table_name not like '%throttle%'
     order by 1`,
  )
  const rows = tables.map(async ({ name }) => [
    name,
    await executor.query(`select t::text as row from ${name} t order by 1`),
  ])
  return Promise.all(rows)
}

const PLAN_TYPE = 'application/vnd.ostiary.dry-run+json'
const OPTIONS = ['--plan', '--server', SERVER]

async function planned(at: Place, words: readonly string[], { stdin = '' }: Given = {}) {
  const [out, err]: [string[], string[]] = [[], []]
  const terminal = {
    env: { DATABASE_URL: 'postgres://not-used' },
    cwd: at.cwd,
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
    stdin: async () => stdin,
    ask: () => Promise.reject(new Error('it asks')),
    connect: at.connect,
  }
  const end = words.includes('--') ? words.indexOf('--') : words.length
  const line = [...words.slice(0, end), ...OPTIONS, ...words.slice(end)]
  const code = await run(line, { serve: async () => 0 }, terminal)
  return { code, out: out.join(''), err: err.join('') }
}

const lineOf = async ({ line }: Row, at: Place) =>
  (typeof line === 'string' ? line : await line(at)).split(' ')

interface Case {
  title: string
  rows: [Row, ...Row[]]
}

/** A plan changes nothing, so rows that begin with the same records share a database and a server. */
function casesOf(table: typeof ROWS): Case[] {
  const cases: Case[] = []
  for (const [title, row] of Object.entries(table)) {
    const shared = cases.find(
      ({ rows: [first] }) => first.before === row.before && first.config === row.config,
    )
    if (shared === undefined) cases.push({ title, rows: [row] })
    else {
      shared.title += `; ${title}`
      shared.rows.push(row)
    }
  }
  return cases
}

async function expectPlan(at: Place, row: Row): Promise<void> {
  const before = await everything(at)
  const text = await planned(at, await lineOf(row, at), row)
  expect([text.err, text.code]).toEqual(['', 0])
  expect(text.out).toMatch(/^Nothing was changed\n/)
  for (const part of row.says) expect(text.out.replaceAll(/ {2,}/g, '  ')).toContain(part)
  const document = await planned(at, ['--json', ...(await lineOf(row, at))], row)
  expect(JSON.parse(document.out)).toEqual({ changes: expect.any(Array), effects: expect.any(Object) })
  expect(await everything(at)).toEqual(before)
}

describe('the option --plan', () => {
  it.each(casesOf(ROWS))('$title', async ({ rows }) => {
    const [{ before, config }] = rows
    const at = await place(config && { config })
    await before?.(at)
    // The first connection starts the server, which writes.
    await at.connect(SERVER)
    for (const row of rows) await expectPlan(at, row)
  })

  it('leaves a list as it is', async () => {
    const at = await place()
    const { code, out } = await planned(at, LISTS.split(' '))
    expect([code, out]).toEqual([0, expect.stringMatching(/^KID/)])
  })

  it('of audit undo works on the machine too', async () => {
    const at = await place()
    const found = await at.command('audit undo none --plan')
    expect([found.code, found.failure]).toEqual([3, expect.anything()])
    expect(COMMANDS.find(({ name }) => name === OWN_PLAN)?.options?.plan?.help).not.toContain('--server')
  })

  it('needs --server: nothing is planned on the machine', async () => {
    const at = await place()
    const terminal = { env: {}, cwd: at.cwd, out: () => {}, stdin: async () => '' }
    const err: string[] = []
    const words = ['client', 'revoke', 'made', '--plan']
    const code = await run(
      words,
      { serve: async () => 0 },
      { ...terminal, err: (text) => void err.push(text) },
    )
    expect([code, err.join('')]).toEqual([2, expect.stringContaining('give --server, after ostiary login')])
  })

  it('a refusal is that of the command', async () => {
    const at = await place()
    const { code, out, err } = await planned(at, ['client', 'revoke', 'none'])
    expect([code, out]).toEqual([3, ''])
    expect(err).toContain('There is no client')
  })

  it.each([
    ['of a server that knows no plans', { client_id: 'made' }, 'application/json'],
    ['that has the type of a plan and is none', { changes: [{}], effects: {} }, PLAN_TYPE],
  ])('an answer %s is an error: the change may have been made', async (_what, body, type) => {
    const at = await place()
    await made(at)
    const connect = async (server: string) => {
      const { request } = await at.connect(server)
      const other = { status: 200, headers: new Headers({ 'content-type': type }), body }
      return { server, request: async (call: AdminCall) => (call.method === 'GET' ? request(call) : other) }
    }
    const { code, out, err } = await planned({ ...at, connect }, 'client update made --name x'.split(' '))
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('has not answered with a plan: it may have made the change')
  })

  it('texts of a server do not control the terminal', async () => {
    const at = await place()
    await made(at)
    const connect = async (server: string) => {
      const { request } = await at.connect(server)
      const effects = { 'sessions\u009b': 1 }
      const changes = [{ pointer: '/x\u001b[2J', to: 'a\u009bb' }]
      const headers = new Headers({ 'content-type': PLAN_TYPE })
      const plan = { status: 200, headers, body: { changes, effects } }
      return { server, request: async (call: AdminCall) => (call.method === 'GET' ? request(call) : plan) }
    }
    for (const json of [[], ['--json']]) {
      const { out } = await planned({ ...at, connect }, [...json, 'client', 'update', 'made', '--name', 'x'])
      expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    }
  })

  it('each command that changes something over the admin API has a row', () => {
    const changing = COMMANDS.filter(({ remote, effect }) => remote && effect === 'changes')
    expect(changing.map(({ name }) => name).sort()).toEqual([LISTS, OWN_PLAN, ...Object.keys(ROWS)].sort())
  })
})
