/** The commands about the audit and administrators: rows of the comparison, and what both databases have. */

import type { Executor } from '@ostiary/storage-postgres'
import type { Row } from './_compare.ts'
import type { Place } from './_places.ts'
import { giveAccess } from './_records.ts'

const NOW = Math.floor(Date.now() / 1000)
/** A time of the command line. */
const at = (seconds: number) => new Date((NOW - seconds) * 1000).toISOString().replace('.000Z', 'Z')

interface StoredRow {
  id: string
  /** Seconds ago. */
  ago: number
  type: string
  outcome?: string
  sub?: string
  client_id?: string
  flow?: string
  refs?: string
  data?: object
  private?: object | null
  /** What was private is erased. */
  erased?: true
}

const names = (before: string, after: string) => ({
  before: { client_name: before },
  after: { client_name: after },
})
const state = (before: object, after: object) => ({ before, after })

/** The oldest first. */
const ROWS: readonly StoredRow[] = [
  {
    id: '00row-01',
    ago: 9000,
    type: 'client.create',
    client_id: 'made',
    data: { fields: ['client_id', 'client_name'] },
    private: { after: { client_id: 'made', client_name: 'First' } },
  },
  {
    id: '00row-02',
    ago: 8000,
    type: 'client.update',
    client_id: 'made',
    data: { fields: ['client_name'] },
    private: names('First', 'Second'),
  },
  {
    id: '00row-03',
    ago: 7000,
    type: 'client.update',
    client_id: 'made',
    data: { fields: ['client_name'] },
    private: names('Second', 'Third'),
  },
  {
    id: '00row-04',
    ago: 6000,
    type: 'user.update',
    sub: 'bob-1',
    data: { fields: ['groups'] },
    private: state({}, { groups: ['staff'] }),
  },
  {
    id: '00row-05',
    ago: 5000,
    type: 'user.update',
    sub: 'bob-1',
    data: { fields: ['disabled_at'] },
    private: state({ disabled_at: 1 }, {}),
  },
  {
    id: '00row-06',
    ago: 4000,
    type: 'login.refused',
    outcome: 'refused',
    sub: 'bob-1',
    client_id: 'made',
    flow: 'abcdefghijklmnop',
    refs: '7F3A-2C1D',
    data: { reason: 'wrong_password', request_id: 'request-1' },
    private: { address: '192.0.2.0/24' },
  },
  {
    id: '00row-07',
    ago: 3900,
    type: 'authorization.refused',
    outcome: 'refused',
    client_id: 'made',
    refs: '7F3A-2C1D',
    data: { reason: 'unregistered_redirect_uri', request_id: 'request-2' },
  },
  {
    id: '00row-08',
    ago: 3800,
    type: 'consent.revoke',
    sub: 'bob-1',
    client_id: 'made',
    data: { text: 'a \u001b[31m text\nof another' },
  },
  {
    id: '00row-09',
    ago: 3700,
    type: 'grant.revoked',
    sub: 'bob-1',
    client_id: 'made',
    data: { grant_id: 'g' },
  },
  {
    id: '00row-10',
    ago: 3600,
    type: 'request.refused',
    outcome: 'refused',
    sub: 'bob-1',
    client_id: 'made',
    refs: '1111-2222',
    data: { reason: 'revoked_grant', request_id: 'request-3' },
  },
  {
    id: '00row-11',
    ago: 3500,
    type: 'user.update',
    sub: 'eve-1',
    data: { fields: ['claims'] },
    erased: true,
  },
  {
    id: '00row-12',
    ago: 3400,
    type: 'client.update',
    client_id: 'fixed',
    data: { fields: ['client_name'] },
    private: names('Before', 'fixed'),
  },
  {
    id: '00row-13',
    ago: 3300,
    type: 'client.update',
    outcome: 'begun',
    client_id: 'made',
    data: { fields: [] },
  },
]

/** As a server has sealed them, so that no server does it meanwhile. */
async function store({ executor }: Place): Promise<void> {
  await executor.query('truncate oidc_audit, oidc_audit_seals')
  for (const [index, row] of ROWS.entries()) await insert(executor, row, index + 1)
  const header = Buffer.from('{"kid":"former"}').toString('base64url')
  await executor.query(
    `insert into oidc_audit_seals (realm, number, last_time, jws, expired) values ('default', 1, $1, $2, false)`,
    [NOW - 3300, `${header}.e30.c2ln`],
  )
}

async function insert(executor: Executor, row: StoredRow, place: number): Promise<void> {
  const { id, ago, type, outcome = 'done', sub = null, client_id = null, flow = null, refs, erased } = row
  const hidden = row.private === undefined ? null : JSON.stringify(row.private)
  await executor.query(
    `insert into oidc_audit (realm, audit_id, time, type, outcome, actor, sub, client_id, flow, refs, count, data, private, salt,
        private_hash, seal, place, hash)
      values ('default', $1, $2, $3, $4, 'sub:ann-1', $5, $6, $7, string_to_array($8, ' '), 1, $9, $10, $11, $12, 1, $13, 'h')`,
    [
      id,
      NOW - ago,
      type,
      outcome,
      sub,
      client_id,
      flow,
      refs ?? '',
      JSON.stringify(row.data ?? {}),
      hidden,
      hidden && 'salt',
      hidden || erased ? 'hash' : null,
      place,
    ],
  )
}

/** A client, and a user who has signed in to another one. */
async function giveRows(place: Place): Promise<void> {
  await giveAccess(place)
  await place.command('client create --id made --name Third --redirect-uri https://made.example.com/cb')
  await place.command('user update bob --add-group staff')
  await store(place)
}

/** More rows than the API gives at once. */
async function giveMany(place: Place): Promise<void> {
  await giveRows(place)
  await place.executor.query(
    `insert into oidc_audit (realm, audit_id, time, type, outcome, actor, refs, count, data, seal, place, hash)
      select 'default', '00row-many-' || lpad(n::text, 4, '0'), 1000, 'session.ended', 'done', 'system', '{}', 1, '{}', 1, n + 13, 'h'
      from generate_series(1, 450) n`,
  )
}

/** A user who has a role, and one who is invited. */
async function giveRoles({ command }: Place): Promise<void> {
  await command('user create bob --sub bob-1 --no-password')
  await command('admin roles grant bob support')
  await command('user create gil@example.com --sub gil-1 --claim email=gil@example.com --no-password')
  await command('user invite gil@example.com')
}

const onRoles = (...lines: string[]): Row => ({ before: giveRoles, lines })
const onRows = (...lines: string[]): Row => ({ before: giveRows, lines })

/** Those with `--server`. */
export const AUDIT_ROWS: Record<string, readonly Row[]> = {
  'audit list': [
    {
      ...onRows(
        'audit list --actor sub:ann-1',
        'audit list --actor sub:ann-1 --limit 2',
        'audit list --actor sub:ann-1 --limit 2 --before 00row-05',
        'audit list --sub bob-1 --client made',
        'audit list --actor sub:ann-1 --type client. --limit 1000',
        'audit list --type none',
        `audit list --actor sub:ann-1 --since ${at(3750)}`,
        'audit list --since yesterday',
        'audit list --limit 1001',
      ),
      codes: [0, 0, 0, 0, 0, 0, 0, 2, 2],
      unchanged: true,
    },
    {
      before: giveMany,
      lines: ['audit list --type session.ended --limit 430', 'audit list --type session.ended --limit 1000'],
    },
  ],
  'audit show': [
    {
      ...onRows(
        'audit show 00row-02',
        'audit show 00row-06',
        'audit show 00row-08',
        'audit show 00row-11',
        'audit show none',
      ),
      codes: [0, 0, 0, 0, 3],
      unchanged: true,
    },
  ],
  'audit record': [
    {
      ...onRows(
        `audit record --client made --at ${at(7500)}`,
        `audit record --client made --at ${at(8500)}`,
        `audit record --client made --at ${at(9500)}`,
        `audit record --user bob --at ${at(6500)}`,
        `audit record --sub bob-1 --at ${at(5500)}`,
        `audit record --sub none --at ${at(100)}`,
        `audit record --user none --at ${at(100)}`,
        'audit record --client made',
        'audit record --client made --sub bob-1 --at 1m',
      ),
      codes: [0, 0, 1, 0, 0, 3, 3, 2, 2],
      unchanged: true,
    },
  ],
  'audit diff': [
    {
      ...onRows(
        `audit diff --client made --from ${at(8500)}`,
        `audit diff --client made --from ${at(8500)} --to ${at(7500)}`,
        `audit diff --user bob --from ${at(6500)}`,
        `audit diff --client made --from ${at(1)} --to ${at(2)}`,
        `audit diff --client none --from ${at(100)}`,
      ),
      codes: [0, 0, 0, 2, 3],
      unchanged: true,
    },
  ],
  'audit undo': [
    {
      ...onRows(
        'audit undo 00row-03 --plan',
        'audit undo 00row-02 --plan',
        'audit undo 00row-03',
        'audit undo 00row-03',
        'client show made',
        'audit undo 00row-04',
        'user show bob',
        'audit undo none',
        'audit undo 00row-06',
        'audit undo 00row-01',
        'audit undo 00row-11',
        'audit undo 00row-13',
      ),
      typed: 'y',
      codes: [0, 1, 0, 0, 0, 0, 0, 3, 1, 1, 1, 1],
    },
    { ...onRows('audit undo 00row-03', 'client show made'), typed: 'n', codes: [1, 0], unchanged: true },
    { ...onRows('audit undo 00row-03', 'audit undo 00row-03 --yes', 'client show made'), codes: [2, 0, 0] },
    onRows('audit undo 00row-05 --yes', 'session list bob', 'grant list bob'),
    {
      before: async (place) => {
        await giveRows(place)
        await place.command('user delete bob --yes')
      },
      lines: ['audit undo 00row-04 --yes'],
      codes: [1],
    },
    {
      ...onRows('audit undo 00row-12 --yes', 'audit undo 00row-12 --plan'),
      codes: [1, 1],
      other_words: true,
    },
  ],
  'admin roles list': [
    {
      before: giveRoles,
      lines: ['admin roles list', 'admin roles list --realm none'],
      codes: [0, 3],
      other_words: true,
      unchanged: true,
    },
  ],
  'admin roles grant': [
    {
      before: giveRoles,
      lines: [
        'admin roles grant bob manager',
        'admin roles grant bob manager',
        'admin roles grant gil@example.com support --in default',
        'admin roles grant bob-1 auditor --sub',
        'admin roles grant fixed auditor --client',
        'admin roles grant none support',
        'admin roles grant none support --client',
        'admin roles grant bob king',
        'admin roles grant bob support --sub --client',
        'admin roles list',
      ],
      codes: [0, 0, 0, 0, 0, 3, 3, 1, 2, 0],
    },
    {
      ...onRoles('admin roles grant bob support --in none'),
      codes: [1],
      other_words: true,
      unchanged: true,
    },
  ],
  'admin roles revoke': [
    {
      ...onRoles(
        'admin roles revoke bob support',
        'admin roles revoke bob support',
        'admin roles revoke deploy owner --client',
        'admin roles revoke none support',
        'admin roles revoke gone support --sub',
        'admin roles list',
      ),
      codes: [0, 3, 1, 3, 3, 0],
    },
  ],
  'user export': [
    // Each has a row, which the next one would have.
    { ...onRows('user export bob', 'user export none'), codes: [0, 3] },
    onRows('user export --sub bob-1'),
  ],
  explain: [
    {
      ...onRows(
        'explain 7F3A-2C1D',
        'explain 7f3a2c1d',
        'explain abcdefghijklmnop',
        'explain 1111-2222',
        'explain 0000-0000',
      ),
      codes: [0, 0, 0, 0, 3],
      unchanged: true,
    },
  ],
}
