/** The operations on the audit: its rows, and the story of a reference. They change nothing. */

import * as z from 'zod'
import { given } from '../given.js'
import { type Answer, type Call, operation } from '../operation.js'
import { pageOfList } from '../page.js'
import type { AuditReader, StoredRow } from '../parts.js'
import { notFound, ProblemError, present } from '../problem.js'
import { EPOCH, NULLABLE, PAGE, pageOf, SECONDS, TEXT, TEXTS } from '../schemas.js'

const listQuery = z.strictObject({
  ...PAGE,
  sub: TEXT.describe('About this user'),
  client_id: TEXT.describe('About this client'),
  actor: TEXT.describe(
    'By this one: `sub:…`, `client:…`, `cli:user@host`, `configuration`, `system`, `stranger`',
  ),
  type: TEXT.describe('Of this type; `client.` is all that begin so'),
  since: SECONDS.describe('Epoch seconds'),
})
const shownRow = z.looseObject({
  audit_id: z.string(),
  realm: z.string(),
  time: EPOCH,
  type: z.string(),
  outcome: z.enum(['done', 'begun', 'failed', 'refused']),
  actor: z.string(),
  sub: NULLABLE,
  client_id: NULLABLE,
  flow: NULLABLE,
  refs: TEXTS,
  count: z.int(),
  data: z.record(z.string(), z.unknown()),
})
const story = z.looseObject({
  flow: NULLABLE,
  client_id: NULLABLE,
  sub: NULLABLE,
  steps: z.array(z.looseObject({ time: EPOCH, what: z.string(), advice: NULLABLE })),
})

/** @throws ProblemError 404 where nothing is kept. */
async function auditOf(call: Call): Promise<AuditReader> {
  const { audit } = await call.parts()
  if (audit === null) throw new ProblemError('not_found', 'audit.enabled is false: nothing is kept')
  return audit
}

/** As `ostiary audit list --json` shows a row: with its parts read, and without their hashes. */
function shown({ data, private: hidden, salt, private_hash, ...row }: StoredRow) {
  const is_erased = hidden === null && private_hash !== null && salt === null
  return {
    ...row,
    data: JSON.parse(data),
    ...JSON.parse(hidden ?? '{}'),
    ...(is_erased && { erased: true }),
  }
}

async function list(call: Call, query: z.output<typeof listQuery>): Promise<Answer> {
  const audit = await auditOf(call)
  const { limit, cursor, after: from, ...selected } = query
  const filter = given(selected)
  const { items, next } = await pageOfList(call, {
    list: 'audit',
    query: { limit, cursor, after: from },
    filter,
    read: ({ after, limit: rows }) =>
      audit.list({ filter, limit: rows, ...(after !== undefined && { before: after }) }),
    idOf: ({ audit_id }) => audit_id,
  })
  return { body: { items: items.map(shown), next } }
}

/** @throws ProblemError 404 */
async function get(call: Call): Promise<Answer> {
  const audit = await auditOf(call)
  return { body: shown(present(await audit.find(call.params.audit_id ?? ''))) }
}

/** @throws ProblemError 404, 409 */
async function explain(call: Call): Promise<Answer> {
  const audit = await auditOf(call)
  if (audit.explain === null)
    throw new ProblemError('conflict', 'The audit is in memory, and explains nothing: name a database')
  const stories = await audit.explain(call.params.reference ?? '')
  if (stories.length === 0) throw notFound()
  return { body: { stories } }
}

const READS = { area: 'audit', access: 'read', method: 'GET' } as const

export const AUDIT = [
  operation({
    ...READS,
    id: 'audit.list',
    path: '/audit',
    summary: 'List what happened and what was changed, the newest first; every filter has to match',
    query: listQuery,
    answers: { 200: pageOf(shownRow) },
    run: (call, { query }) => list(call, query),
  }),
  operation({
    ...READS,
    id: 'audit.get',
    path: '/audit/{audit_id}',
    summary: 'A row of the audit, with what was changed',
    answers: { 200: shownRow },
    run: get,
  }),
  // Why a user could not sign in is asked by those who look after users.
  operation({
    ...READS,
    area: 'users',
    id: 'audit.explain',
    path: '/explain/{reference}',
    summary: 'What happened, by the reference of an error page, the id of a request, or a flow',
    answers: { 200: z.object({ stories: z.array(story) }) },
    run: explain,
  }),
]
