/** The commands over the admin API of a server. What it answers is checked before it is shown. */

import type { RealmOperations, SendRequest } from '@ostiary/admin-client/remote'
import type { AuditRow } from '@ostiary/audit'
import type { Story } from '@ostiary/explain'
import { isRefusal, listed, notTheApi, orNull } from '../answers.js'
import type {
  AuditInput,
  AuditOutput,
  AuditResult,
  ChangeResult,
  CommandErrors,
  CommandTools,
} from './command-types.js'
import { type Undoing, undoneBy } from './history/undo.js'
import type { RecordsPlace, RowsPlace, TargetPlace } from './place.js'
import { RUNS } from './runs.js'

/** What a command works with on a server. */
interface Remote<Input, Output> {
  realm: RealmOperations
  send: SendRequest
  tools: CommandTools<Input, Output>
  input: Input
  output: Output
}

/** The commands that read. */
const READS = {
  'audit list': RUNS['audit list'],
  'audit show': RUNS['audit show'],
  'audit record': RUNS['audit record'],
  'audit diff': RUNS['audit diff'],
  explain: RUNS.explain,
}

/** @throws Errors of the command line. */
export const read = <Input extends AuditInput, Output extends AuditOutput>(
  name: keyof typeof READS,
  remote: Remote<Input, Output>,
): Promise<AuditResult> => READS[name](placeOf(remote), remote.input)

/** @throws Errors of the command line. */
export const undo = <Input extends AuditInput, Output extends AuditOutput>(
  remote: Remote<Input, Output>,
): Promise<ChangeResult> => undoneBy(undoingThere(remote.send), placeOf(remote), remote.input)

function placeOf<Input extends AuditInput, Output>(
  remote: Remote<Input, Output>,
): RecordsPlace & TargetPlace {
  const { realm, send, tools, input, output } = remote
  const { management, users } = realm
  const store = storeOf(send, tools)
  return {
    ...tools,
    realm: input.text('realm') ?? 'default',
    store,
    errors: tools,
    management,
    users,
    // The server knows its configuration, and refuses what it names.
    entries: { clients: [], users: [] },
    // A server without an audit refuses to read it.
    audit: {},
    confirm: (plan) => tools.confirm(input, output, plan),
    async knownSince() {
      const { complete_since } = await store.of<{ complete_since?: unknown }>(['audit-coverage'])
      return typeof complete_since === 'number' ? complete_since : null
    },
    async stories(name) {
      const found = await orNull(store.of<{ stories?: unknown }>(['explain', name]))
      // The audit is not there, or the realm.
      if (found === null) await store.list('', { filter: {}, limit: 1 })
      return found === null ? [] : storiesOf(found.stories, tools)
    },
  }
}

/** The rows of a server. */
interface RemoteStore extends Pick<RowsPlace['store'], 'find' | 'list'> {
  /** Reads at a path. */
  of<Answer>(path: readonly string[]): Promise<Answer>
}

type Failing = Pick<CommandErrors, 'failure'>

function storeOf(send: SendRequest, tools: Failing): RemoteStore {
  const told = <Answer>(answer: Promise<Answer>) =>
    answer.catch((error) => {
      const detail = isRefusal(error) ? `${error.problem.detail}` : ''
      throw detail.startsWith('audit.enabled') ? tools.failure(`The server keeps no audit: ${detail}`) : error
    })
  const list: RemoteStore['list'] = async (_realm, { filter, before, limit }) => {
    const texts = Object.entries(filter).map(([name, value]) => [name, String(value)])
    const page = { limit, filter: Object.fromEntries(texts), ...(before !== undefined && { after: before }) }
    const rows = await told(listed(send, ['audit'], page))
    if (rows === null) throw notTheApi(tools, 'audit')
    return rows.map((row) => rowOf(row, tools))
  }
  return {
    of: (path) => told(send('GET', path)),
    async find(_realm, audit_id) {
      const row = await orNull(told(send<unknown>('GET', ['audit', audit_id])))
      // The realm, or its audit, may not be there.
      if (row === null) await list('', { filter: {}, limit: 1 })
      return row === null ? null : rowOf(row, tools)
    },
    list,
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNull = (value: unknown): boolean => value === null || isText(value)
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown): value is unknown[] => Array.isArray(value)

const isListOfTexts = (value: unknown): boolean => isList(value) && value.every(isText)

const OUTCOMES: readonly unknown[] = ['done', 'begun', 'failed', 'refused']

/** A row as it is stored, of one as the API shows it. @throws `failure` of the command line. */
function rowOf(shown: unknown, tools: Failing): AuditRow {
  if (!isObject(shown)) throw notTheApi(tools, 'audit')
  const { data, address, before, after, erased, ...row } = shown
  const { audit_id, realm, type, actor, sub, client_id, flow, outcome, time, count, refs } = row
  const is_row =
    [audit_id, realm, type, actor].every(isText) &&
    [sub, client_id, flow].every(isTextOrNull) &&
    [time, count].every(isNumber) &&
    OUTCOMES.includes(outcome) &&
    isList(refs) &&
    refs.every(isText) &&
    isObject(data) &&
    (address === undefined || isText(address)) &&
    [before, after].every((members) => members === undefined || isObject(members))
  if (!is_row) throw notTheApi(tools, 'audit')
  const hidden = Object.entries({ address, before, after }).filter(([, value]) => value !== undefined)
  return {
    ...(row as unknown as AuditRow),
    data: JSON.stringify(data),
    private: hidden.length === 0 ? null : JSON.stringify(Object.fromEntries(hidden)),
    salt: null,
    private_hash: erased === true ? 'erased' : null,
  }
}

/** @throws `failure` of the command line. */
function storiesOf(stories: unknown, tools: Failing): Story[] {
  if (!isList(stories) || !stories.every(isStory)) throw notTheApi(tools, 'explain')
  return stories as Story[]
}

const isStory = (story: unknown): boolean =>
  isObject(story) &&
  [story.flow, story.client_id, story.sub].every(isTextOrNull) &&
  isObject(story.realm_scopes) &&
  [story.realm_scopes.default_scopes, story.realm_scopes.optional_scopes].every(isListOfTexts) &&
  isList(story.steps) &&
  story.steps.every(isStep)

const isStep = (step: unknown): boolean =>
  isTold(step) &&
  isTextOrNull(step.advice) &&
  isTextOrNull(step.in_log ?? null) &&
  (step.before === null || (isList(step.before) && step.before.every(isTold)))

const isTold = (row: unknown): row is Record<string, unknown> =>
  isObject(row) && isNumber(row.time) && [row.audit_id, row.what, row.actor].every(isText)

function undoingThere(send: SendRequest): Undoing {
  const pathOf = (row_id: string) => ['audit', row_id, 'undo']
  return {
    async check(row_id) {
      await send('POST', pathOf(row_id), { query: { dry_run: 'true' } })
    },
    async make({ row }) {
      const { sessions, grants } = await send<Record<string, unknown>>('POST', pathOf(row.audit_id))
      return isNumber(sessions) && isNumber(grants) ? { count: { sessions, grants } } : {}
    },
  }
}
