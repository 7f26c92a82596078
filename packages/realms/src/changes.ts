/** Makes, changes and deletes realms at run time: for an administrator, or for a command. */

import { isDeepStrictEqual } from 'node:util'
import { type PointedFault, RealmError } from './realm-error.js'
import { MAX_REALMS, PURGE_DAYS, type RealmRecord, type RealmSettings, realmIdFault } from './realm-store.js'
import type { ConfiguredPlace, RealmFault, RunTimeRealms } from './run-time.js'
import { isObject, leavesOf, settingsOf } from './shown.js'

/** Writes the row of a change before it: `RecordsChange` of `@ostiary/admin`. */
export interface Rows {
  change<T>(
    change: { realm: string; type: string; ids: Readonly<Record<string, unknown>> },
    run: () => Promise<T>,
    record: () => Promise<object | null>,
  ): Promise<T>
}

/** Who changes realms, and when. */
export interface RealmChanger {
  realms: RunTimeRealms
  /** Null: changes have no row. */
  audit: Rows | null
  /** The realm whose audit has the rows: that of the administrators. */
  rows_in: string
  /** Of a dry run: nothing is stored. */
  plan: { set(name: string, before: object | null, after: object | null): void } | null
  /** Epoch seconds. */
  now: number
}

/** Bytes of the settings of a realm as JSON: as many as a request has. */
const MAX_SETTINGS_BYTES = 65_536
const DAY = 86_400

/** The realm, unless it is deleted. */
export async function findRealm(
  { store }: Pick<RunTimeRealms, 'store'>,
  id: string,
): Promise<RealmRecord | null> {
  const record = await store.find(id)
  return record?.disabled_at === null ? record : null
}

/** When the records of a deleted realm are purged, at the earliest. Epoch seconds. */
export const purgeTime = ({ disabled_at }: RealmRecord): number => (disabled_at ?? 0) + PURGE_DAYS * DAY

/** Where the configuration has the realm; null for none of its realms, also for an id that it only keeps. */
export async function configuredRealm(
  { configured, ids }: Pick<RunTimeRealms, 'configured' | 'ids'>,
  id: string,
): Promise<ConfiguredPlace | null> {
  const place = configured(id)
  return place !== null && (await ids()).includes(id) ? place : null
}

/** @throws RealmError for a realm of the configuration, which wins, and for an id that it keeps. */
export function requireNotConfigured({ configured }: RunTimeRealms, id: string): void {
  const place = configured(id)
  if (place === null) return
  const where = `${place.key} in ${place.file ?? 'the environment of the server'}`
  throw new RealmError('owned_by_configuration', {
    detail: `The realm ${id} is in the configuration: change ${where}, and reload the server`,
    errors: [{ pointer: '', message: `it is in the configuration: ${where}` }],
  })
}

/** @throws RealmError with each fault */
export async function requireSettings(
  { check }: RunTimeRealms,
  id: string,
  settings: RealmSettings,
): Promise<void> {
  const size = Buffer.byteLength(JSON.stringify(settings))
  if (size > MAX_SETTINGS_BYTES)
    throw new RealmError(
      'invalid_request',
      `The settings have ${size} bytes, and may have ${MAX_SETTINGS_BYTES}`,
    )
  const faults = (await check(id, settings)).map(pointed)
  if (faults.length === 0) return
  const detail = faults.map(sentenceOf).join('; ')
  throw new RealmError('invalid_request', { detail, errors: faults })
}

const sentenceOf = ({ pointer, message, suggestion }: PointedFault): string =>
  `${pointer}: ${message}${suggestion === undefined ? '' : `, did you mean ${suggestion}?`}`

const pointed = ({ path, message, meant }: RealmFault): PointedFault => ({
  pointer: pointerOf(path.split('.')),
  message,
  ...(meant !== undefined && { suggestion: meant }),
})

const pointerOf = (names: readonly string[]): string =>
  names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** @throws RealmError when there is no such realm to be made */
export async function createRealm(
  changer: RealmChanger,
  { id, settings }: Pick<RealmRecord, 'id' | 'settings'>,
): Promise<RealmRecord> {
  const { realms, plan, now } = changer
  requireNotConfigured(realms, id)
  const fault = realmIdFault(id)
  if (fault !== null) throw new RealmError('invalid_request', `The id of a realm: ${fault}`)
  const known = await realms.store.find(id)
  if (known !== null) throw taken(known)
  await requireSettings(realms, id, settings)
  if (plan !== null) {
    plan.set(id, null, { id, ...settingsOf(settings) })
    return { id, settings, created_at: now, updated_at: now, disabled_at: null, version: 1 }
  }
  return recorded(changer, { type: 'realm.create', id }, async () => {
    const created = await realms.store.create({ id, settings }, now)
    if (created === 'full')
      return new RealmError('conflict', `There are ${MAX_REALMS} realms, which is the most: delete one first`)
    return created === 'exists' ? taken(await realms.store.find(id)) : created
  })
}

const taken = (known: RealmRecord | null): RealmError =>
  known === null || known.disabled_at === null
    ? new RealmError('conflict', 'The realm exists')
    : new RealmError(
        'conflict',
        'A realm with this id was deleted, and an id is never used again: choose another one',
      )

/** Whether they are the same, in whichever order. */
export const hasSettings = (
  { settings: own }: Pick<RealmRecord, 'settings'>,
  settings: RealmSettings,
): boolean => isDeepStrictEqual(settingsOf(own), settingsOf(settings))

/** @throws RealmError */
export async function replaceRealm(
  changer: RealmChanger,
  record: RealmRecord,
  settings: RealmSettings,
): Promise<RealmRecord> {
  const { realms, plan, now } = changer
  const { id, version } = record
  await requireSettings(realms, id, settings)
  if (plan !== null) {
    plan.set(id, settingsOf(record.settings), settingsOf(settings))
    return { ...record, settings, updated_at: now }
  }
  return recorded(changer, { type: 'realm.update', id }, async () => {
    const replaced = await realms.store.replace(id, { settings, version }, now)
    return replaced ?? changedMeanwhile()
  })
}

/** The realm is another one by now. */
export const changedMeanwhile = (): RealmError =>
  new RealmError('changed_meanwhile', 'Read the realm again, and repeat the change')

/** Everything in it is refused at once. @throws RealmError */
export async function deleteRealm(changer: RealmChanger, record: RealmRecord): Promise<RealmRecord> {
  const { realms, plan, now } = changer
  const { id, version } = record
  if (plan !== null) {
    plan.set(id, { id, ...settingsOf(record.settings) }, null)
    return { ...record, disabled_at: now }
  }
  return recorded(changer, { type: 'realm.delete', id }, async () => {
    const removed = await realms.store.remove(id, { version }, now)
    return removed ?? changedMeanwhile()
  })
}

/** A refusal fails the row, and is thrown. */
async function recorded(
  { realms, audit, rows_in }: RealmChanger,
  { type, id }: { type: string; id: string },
  make: () => Promise<RealmRecord | RealmError>,
): Promise<RealmRecord> {
  const run = async () => {
    const made = await make()
    if (made instanceof RealmError) throw made
    return made
  }
  const record = async () => {
    const found = await findRealm(realms, id)
    return found && leavesOf(found.settings)
  }
  const made =
    audit === null
      ? await run()
      : await audit.change({ realm: rows_in, type, ids: { realm_id: id } }, run, record)
  realms.changed(id)
  return made
}

/** RFC 7396: null removes a setting, an object is merged, everything else replaces. */
export function mergedSettings(settings: RealmSettings, patch: unknown): RealmSettings {
  return merged(settings, patch) as RealmSettings
}

function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const members = new Map(Object.entries(isObject(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name)
    else members.set(name, merged(members.get(name), value))
  }
  return Object.fromEntries(members)
}
