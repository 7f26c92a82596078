/** `explain`: what the rows of one request, or of one sign-in, tell in order. */

import type { AuditFilter, AuditRow, AuditStore } from '@ostiary/audit'
import { dataOf, privateOf, referenceOf } from '@ostiary/audit/rows'
import type { ClientStore, catalogReasons, hintOfEvent } from '@ostiary/core'
import type { UserStore } from '@ostiary/identity'
import { type RefusingRealm, rowsBefore } from './before.js'
import type { StoryNow } from './mended.js'
import { sentenceOf } from './sentence.js'

/** A row with its sentence. */
interface ToldRow {
  time: number
  audit_id: string
  type: string
  actor: string
  outcome: AuditRow['outcome']
  /** What happened. */
  what: string
}

/** A step of the story. */
interface StoryStep extends ToldRow {
  /** The user that it is about: in one browser, several may try to sign in. */
  sub: string | null
  /** Of a refusal. */
  reason: string | null
  /** What can have been the cause, the newest first; null where the reason says it, or the step before. */
  before: ToldRow[] | null
  /** What to do about it, or what has mended it; null for a step that went well, and where the step before says it. */
  advice: string | null
  /** What the log has of the request; null where that is nothing, or a secret. */
  in_log: string | null
}

/** One request, or one authorization request from its sign-in to its tokens. */
export interface Story {
  /** Of its rows that belong to one; else null. */
  flow: string | null
  client_id: string | null
  sub: string | null
  /** Of a client that has none of its own. */
  realm_scopes: { default_scopes: readonly string[]; optional_scopes: readonly string[] }
  steps: StoryStep[]
}

/** Rows that one question finds at most. */
const MAX_ROWS = 200

/** As it is read out, too. */
const REFERENCE = /^[\da-f]{4}[- ]?[\da-f]{4}$/i
const FLOW = /^[\w-]{16}$/

/** What a name may be: the reference of an error page, a flow, or the id of a request. */
function filterOf(name: string): AuditFilter {
  if (REFERENCE.test(name)) {
    const digits = name.replace(/\W/, '').toUpperCase()
    return { reference: `${digits.slice(0, 4)}-${digits.slice(4)}` }
  }
  return FLOW.test(name) ? { flow: name } : { reference: referenceOf(name) }
}

/** Where stories are told. */
export interface StoryPlace {
  realm: RefusingRealm
  /** Of `@ostiary/core`. */
  core: { hintOfEvent: typeof hintOfEvent; catalogReasons: typeof catalogReasons }
  clients: Pick<ClientStore, 'find'>
  users: Pick<UserStore, 'find'>
}

/** The stories of a reference, a request id or a flow, the newest first: a reference is short, and may name several requests. */
export async function explain(store: AuditStore, place: StoryPlace, name: string): Promise<Story[]> {
  const realm = place.realm.id
  const named = await store.list(realm, { filter: filterOf(name), limit: MAX_ROWS })
  const flows = [...new Set(named.flatMap(({ flow }) => flow ?? []))]
  const alone = named.filter(({ flow }) => flow === null)
  const stories = await Promise.all(flows.map((flow) => rowsOfFlow(store, realm, flow)))
  for (const rows of byRequest(alone).values()) stories.push(rows)
  return Promise.all(stories.map((rows) => storyOf(rows, { ...place, store })))
}

/** With the rows of the grant that the flow has made. */
async function rowsOfFlow(store: AuditStore, realm: string, flow: string): Promise<AuditRow[]> {
  const rows = await store.list(realm, { filter: { flow }, limit: MAX_ROWS })
  const issued = rows.filter(({ type }) => type === 'code.issued').slice(0, 1)
  const later = await Promise.all(
    issued.map(async ({ sub, client_id, time, data }) => {
      const filter = { ...(sub !== null && { sub }), ...(client_id !== null && { client_id }), since: time }
      const { grant_id } = JSON.parse(data)
      const of_user = await store.list(realm, { filter, limit: MAX_ROWS })
      return of_user.filter((row) => row.flow === null && dataOf(row).grant_id === grant_id)
    }),
  )
  return [...later.flat(), ...rows]
}

function byRequest(rows: readonly AuditRow[]): Map<string, AuditRow[]> {
  const requests = new Map<string, AuditRow[]>()
  for (const row of rows) {
    const { request_id = row.audit_id } = dataOf(row)
    requests.set(`${request_id}`, [...(requests.get(`${request_id}`) ?? []), row])
  }
  return requests
}

/** What a sentence is made of, beside its row. */
interface Sources extends StoryPlace {
  store: AuditStore
}

async function storyOf(rows: readonly AuditRow[], sources: Sources): Promise<Story> {
  const sorted = [...rows].sort((a, b) => (a.audit_id < b.audit_id ? -1 : 1))
  const first = <Key extends 'flow' | 'client_id' | 'sub'>(key: Key) =>
    sorted.find((row) => row[key] !== null)?.[key] ?? null
  const about = { flow: first('flow'), client_id: first('client_id'), sub: first('sub') }
  const steps = await Promise.all(sorted.map((row) => stepOf(row, sources)))
  const repeats = sorted.map((row, index) => isRepeated(row, sorted[index - 1]))
  const told = steps.map(({ advice }) => advice)
  const causes = steps.map(({ before }) => JSON.stringify(before))
  const { default_scopes, optional_scopes } = sources.realm.settings.clients
  return {
    ...about,
    realm_scopes: { default_scopes, optional_scopes },
    steps: steps.map((step, index) => ({
      ...step,
      ...(repeats[index] && { what: sentenceOf(sorted[index] as AuditRow, true) }),
      ...((repeats[index] || told.indexOf(step.advice) < index) && { advice: null, in_log: null }),
      ...(causes.indexOf(JSON.stringify(step.before)) < index && { before: null }),
    })),
  }
}

/** A request is refused because its client has not authenticated: that is told of the client. */
const isRepeated = (row: AuditRow, previous: AuditRow | undefined): boolean =>
  row.type === 'request.refused' &&
  previous?.type === 'client.authentication_failed' &&
  ['reason', 'request_id'].every((name) => dataOf(row)[name] === dataOf(previous)[name])

/** Of the user and the client of a row: those of a flow may be several. */
async function nowOf(
  { client_id, sub, time, audit_id }: AuditRow,
  { store, realm, clients, users }: Sources,
): Promise<StoryNow> {
  const [client, user] = await Promise.all([
    client_id === null ? null : clients.find(client_id),
    sub === null ? null : users.find(sub),
  ])
  return {
    client,
    user,
    now: Date.now() / 1000,
    since: async () =>
      sub === null
        ? []
        : (await store.list(realm.id, { filter: { sub, since: time }, limit: MAX_ROWS })).filter(
            (row) => row.audit_id > audit_id && row.outcome === 'done',
          ),
  }
}

async function stepOf(row: AuditRow, sources: Sources): Promise<StoryStep> {
  const { store, realm, core } = sources
  const reason = reasonOf(row)
  const before = await rowsBefore(store, realm, row)
  const hint = core.hintOfEvent({ type: row.type, ...(reason !== null && { reason }) })
  return {
    ...toldRow(row),
    sub: row.sub,
    reason,
    before: before?.map(toldRow) ?? null,
    advice: hint && (await adviceFor(row, hint, { ...sources, has_before: Boolean(before?.length) })),
    in_log: inLog(row, core),
  }
}

/** Its sentences are loaded with the first refusal. */
async function adviceFor(row: AuditRow, hint: string, sources: Sources & { has_before: boolean }) {
  const { adviceOf } = await import('./advice.js')
  const { store, realm, has_before } = sources
  return adviceOf(row, { hint, has_before }, { store, realm, open: () => nowOf(row, sources) })
}

const reasonOf = (row: AuditRow): string | null => {
  const { reason } = dataOf(row)
  return typeof reason === 'string' ? reason : null
}

/** Events whose line in the log has what was sent. */
const WITH_SENT =
  /^(?:request|bearer|authorization)\.refused$|^client\.authentication_failed$|^logout\.redirect/

function inLog(row: AuditRow, { catalogReasons }: Sources['core']): string | null {
  const { reason, request_id } = dataOf(row)
  const is_limit = row.type === 'login.refused' && reason === 'throttled'
  const has_address = is_limit && privateOf(row).address !== undefined
  const sent = WITH_SENT.test(row.type) ? catalogReasons().get(`${reason}`)?.sent : null
  const names = (has_address ? 'address' : (sent ?? '')).replaceAll(/\b\w+\./g, '').split(' ')
  // The story has the client where it is known.
  const shown = names.filter((name) => name !== '' && (name !== 'client_id' || row.client_id === null))
  if (shown.length === 0 || request_id === undefined) return null
  const what = has_address ? 'the address' : `what was sent of ${shown.join(', ')}`
  return `${what} is in the line with request_id ${request_id}`
}

const toldRow = (row: AuditRow): ToldRow => {
  const { time, audit_id, type, actor, outcome } = row
  return { time, audit_id, type, actor, outcome, what: sentenceOf(row) }
}
