/** The operations of the admin API on realms: they are about the server, and not in a realm. */

import * as z from 'zod'
import {
  configuredRealm,
  createRealm,
  deleteRealm,
  findRealm,
  hasSettings,
  mergedSettings,
  purgeTime,
  type RealmChanger,
  replaceRealm,
  requireNotConfigured,
} from './changes.js'
import type { RealmCounts } from './effects.js'
import type { AdminKit, Answer, RealmCall, RealmOperation } from './kit.js'
import { listRealms } from './lists.js'
import { RealmError } from './realm-error.js'
import type { RealmRecord, RealmSettings } from './realm-store.js'
import type { RunTimeRealms } from './run-time.js'
import { isObject, shownConfigured, shownRecord } from './shown.js'

/** What the operations take of a server. */
export interface RealmAdministrationOptions {
  realms: RunTimeRealms
  /** What ends with a realm. */
  count(id: string): Promise<RealmCounts>
}

/** The options, and what the API gives. */
interface Place extends RealmAdministrationOptions {
  kit: AdminKit
}

const keys = (text: string) =>
  z
    .custom<Record<string, unknown>>(isObject, 'give an object')
    .meta({ type: 'object', additionalProperties: true, description: text })
const OIDC = keys('Keys of `oidc` that differ in this realm, as in the configuration')
const IDENTITY = keys('Keys of `identity` of this realm, as in the configuration')
const putBody = z.strictObject({ oidc: OIDC.optional(), identity: IDENTITY.optional() })
const patchBody = z.strictObject({
  oidc: OIDC.nullable().optional(),
  identity: IDENTITY.nullable().optional(),
})
const EPOCH = z.number().int().describe('Epoch seconds')
const LISTED = {
  id: z.string(),
  source: z.enum(['configuration', 'run_time']),
  created_at: EPOCH.nullable().describe('Null for a realm of the configuration'),
  updated_at: EPOCH.nullable(),
  version: z.int().nullable().describe('1, and one more with each change'),
}
const shownRealm = z.object({
  ...LISTED,
  oidc: OIDC.nullable().describe('Null for a realm of the configuration'),
  identity: IDENTITY.nullable(),
  configuration: z
    .object({
      file: z.string().nullable().describe('Null for variables of the environment'),
      key: z.string(),
    })
    .nullable()
    .describe('Where the configuration has the realm'),
})
const deletedRealm = z.object({
  id: z.string(),
  disabled_at: EPOCH,
  purged_from: EPOCH.describe('When its records are deleted, at the earliest; the id is never used again'),
})

const ONE = '/realms/{realm}'
const READS = { of_server: true, area: 'realms', access: 'read' } as const
const WRITES = { of_server: true, area: 'realms', access: 'write', needs_match: true } as const
const ALL = '*'

const idOf = ({ params }: RealmCall): string => params.realm ?? ''

const etagOf = ({ version }: RealmRecord): string => `"${version}"`

const answerOf = (record: RealmRecord, status = 200): Answer => ({
  status,
  headers: { etag: etagOf(record) },
  body: shownRecord(record),
})

const changerOf = ({ audit, admin_realm, plan, now }: RealmCall, { realms }: Place): RealmChanger => ({
  realms,
  audit,
  rows_in: admin_realm,
  plan,
  now,
})

/** @throws an error for a realm of the configuration, and 404 */
async function requireRealm(call: RealmCall, { realms, kit }: Place): Promise<RealmRecord> {
  const id = idOf(call)
  if ((await configuredRealm(realms, id)) !== null) requireNotConfigured(realms, id)
  const record = await findRealm(realms, id)
  if (record === null) throw kit.notFound()
  return record
}

/** A role in named realms makes no others: a realm takes work and room of the server, and its id for good. @throws RealmError 403 */
function requireAllRealms({ caller }: RealmCall, { kit }: Place): void {
  if (kit.heldRealms(caller.roles, WRITES).includes(ALL)) return
  throw new RealmError('forbidden', 'To make a realm, a role in all realms is needed: owner in *')
}

interface Wanted {
  settings: RealmSettings
  overwrite: boolean | undefined
}

async function put(call: RealmCall, place: Place, { settings, overwrite }: Wanted): Promise<Answer> {
  const { realms, kit } = place
  const { request } = call
  const id = idOf(call)
  requireNotConfigured(realms, id)
  const record = await findRealm(realms, id)
  if (record !== null) {
    kit.requireAbsent(request, etagOf(record))
    return replaced(call, place, { record, settings, overwrite })
  }
  requireAllRealms(call, place)
  kit.requireNoneNamed(request)
  const created = await createRealm(changerOf(call, place), { id, settings })
  call.emit({ type: 'realm.created', realm_id: id })
  return answerOf(created, 201)
}

async function replaced(
  call: RealmCall,
  place: Place,
  { record, settings, overwrite }: Wanted & { record: RealmRecord },
): Promise<Answer> {
  if (hasSettings(record, settings)) return answerOf(record)
  place.kit.requireMatch({ request: call.request, overwrite }, etagOf(record))
  const updated = await replaceRealm(changerOf(call, place), record, settings)
  call.emit({ type: 'realm.updated', realm_id: record.id })
  return answerOf(updated)
}

async function remove(call: RealmCall, place: Place, overwrite: boolean | undefined): Promise<Answer> {
  const record = await requireRealm(call, place)
  place.kit.requireMatch({ request: call.request, overwrite }, etagOf(record))
  call.plan?.ends(await place.count(record.id))
  const removed = await deleteRealm(changerOf(call, place), record)
  const { id, disabled_at } = removed
  call.emit({ type: 'realm.deleted', realm_id: id })
  return { body: { id, disabled_at, purged_from: purgeTime(removed) } }
}

const given = (members: object) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as RealmSettings

/** For the option `operations` of `createAdmin`. */
export const realmAdministration =
  (options: RealmAdministrationOptions) =>
  (kit: AdminKit): RealmOperation[] => [...reading({ ...options, kit }), ...changing({ ...options, kit })]

const reading = (place: Place): RealmOperation[] => [
  {
    ...READS,
    id: 'realms.list',
    method: 'GET',
    path: '/realms',
    summary: 'List the realms of the roles of the caller, by id',
    query: z.strictObject(place.kit.PAGE),
    answers: { 200: place.kit.pageOf(z.object(LISTED)) },
    async run(call, { query }) {
      const { realms, kit } = place
      const held = kit.heldRealms(call.caller.roles, READS)
      const page = await kit.pageOfList(call, {
        list: 'realms',
        query,
        read: (from) => listRealms(realms, from, held.includes(ALL) ? null : held),
        idOf: ({ id }) => id,
      })
      return { body: page }
    },
  },
  {
    ...READS,
    id: 'realms.get',
    method: 'GET',
    path: ONE,
    summary: 'A realm with its settings',
    answers: { 200: shownRealm },
    has_etag: true,
    async run(call) {
      const id = idOf(call)
      const configuration = await configuredRealm(place.realms, id)
      if (configuration !== null) return { body: shownConfigured(id, configuration) }
      return answerOf(await requireRealm(call, place))
    },
  },
]

const changing = (place: Place): RealmOperation[] => [
  {
    ...WRITES,
    id: 'realms.put',
    method: 'PUT',
    path: ONE,
    summary: 'Make a realm, or replace its settings',
    query: z.strictObject(place.kit.OVERWRITE),
    body: putBody,
    answers: { 200: shownRealm, 201: shownRealm },
    has_etag: true,
    run: (call, { query, body }) => put(call, place, { settings: given(body), overwrite: query.overwrite }),
  },
  {
    ...WRITES,
    id: 'realms.patch',
    method: 'PATCH',
    path: ONE,
    summary: 'Change settings of a realm; null removes one, so that it is that of all realms',
    query: z.strictObject(place.kit.OVERWRITE),
    body: patchBody,
    is_patch: true,
    answers: { 200: shownRealm },
    has_etag: true,
    async run(call, { query, body }) {
      const record = await requireRealm(call, place)
      const settings = mergedSettings(record.settings, given(body))
      return replaced(call, place, { record, settings, overwrite: query.overwrite })
    },
  },
  {
    ...WRITES,
    id: 'realms.delete',
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a realm: everything in it is refused at once, and deleted seven days later',
    recent: true,
    query: z.strictObject(place.kit.OVERWRITE),
    answers: { 200: deletedRealm },
    run: (call, { query }) => remove(call, place, query.overwrite),
  },
]
