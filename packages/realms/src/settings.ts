/** Reads the settings of realms by the rules of those that the configuration names. */

import { type RealmRecord, type RealmSettings, type RealmStore, realmIdFault } from './realm-store.js'
import type { RealmFault } from './run-time.js'

type Keys = Record<string, unknown>

/** The rules of a configuration. `Identity`: what keys of `identity` mean to its server. */
export interface SettingsRules<Identity> {
  /** What is wrong with keys of `oidc`, with the paths of the configuration: below `oidc.realms.<id>`. */
  oidcFaults(id: string, keys: Keys): readonly RealmFault[]
  /** The names of all keys of `identity`. */
  identity_keys: readonly string[]
  /** Reads keys of `identity`. */
  readIdentity(id: string, keys: Keys): ReadKeys<Identity>
}

/** Keys as they were read. */
export interface ReadKeys<Identity> {
  faults: readonly RealmFault[]
  /** Null where they cannot be read. */
  identity: Identity | null
}

/** Keys of `identity` that need nothing but their value. */
const IDENTITY_KEYS: readonly string[] = [
  'passkeys',
  'second_factor',
  'password',
  'enrolment',
  'remember_device',
]
const AT_START =
  'only a realm of the configuration has it: the server reads at its start what it needs, such as files, variables, and which realms have it. Leave it out'
const OTHER_MEMBERS: Readonly<Record<string, string>> = {
  theme: 'a realm has no theme of its own: leave it out, and set theme of the configuration',
  clients: 'the settings of a realm have no clients: make them when the realm is there',
  users: 'the settings of a realm have no users: make them when the realm is there',
}

/** What is wrong with the settings, with the paths of a file: `oidc.tokens.access_token`. */
export function settingsFaults(
  rules: SettingsRules<unknown>,
  id: string,
  settings: RealmSettings,
): RealmFault[] {
  const shape = shapeFaults(settings)
  if (shape.length > 0) return shape
  return [...oidcFaults(rules, id, settings), ...readIdentity(rules, id, settings).faults]
}

function shapeFaults(settings: RealmSettings): RealmFault[] {
  const members = Object.entries(settings)
  const faults = members.flatMap(([path, value]): RealmFault[] => {
    if (path !== 'oidc' && path !== 'identity')
      return [{ path, message: OTHER_MEMBERS[path] ?? 'unknown: a realm has the members oidc and identity' }]
    return isKeys(value) ? [] : [{ path, message: `give an object of ${path} keys` }]
  })
  const path = protoPath(settings, [])
  if (path !== null)
    faults.push({ path: path.join('.'), message: 'no key has the name __proto__: leave it out' })
  return faults
}

/** Where it is: a schema may leave this name out without a word. */
function protoPath(value: unknown, path: readonly string[]): readonly string[] | null {
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    const own = [...path, name]
    const found = name === '__proto__' ? own : protoPath(member, own)
    if (found !== null) return found
  }
  return null
}

const isKeys = (value: unknown): value is Keys =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function oidcFaults(rules: SettingsRules<unknown>, id: string, { oidc = {} }: RealmSettings): RealmFault[] {
  const above = `oidc.realms.${id}`
  return rules.oidcFaults(id, oidc).map(({ path, ...fault }) => ({
    path: path.startsWith(above) ? `oidc${path.slice(above.length)}` : path,
    ...fault,
  }))
}

/** What the keys of `identity` mean. */
export function readIdentity<Identity>(
  rules: SettingsRules<Identity>,
  id: string,
  { identity: keys = {} }: RealmSettings,
): ReadKeys<Identity> {
  const others = Object.keys(keys).filter(
    (key) => rules.identity_keys.includes(key) && !IDENTITY_KEYS.includes(key),
  )
  const own = Object.fromEntries(Object.entries(keys).filter(([key]) => !others.includes(key)))
  const { faults, identity } = rules.readIdentity(id, own)
  const refused = others.map((key) => ({ path: `identity.${key}`, message: AT_START }))
  return { faults: [...refused, ...fileFaults(keys), ...faults], identity }
}

function fileFaults({ password }: Keys): RealmFault[] {
  if (!isKeys(password) || password.blocklist_file === undefined) return []
  return [
    { path: 'identity.password.blocklist_file', message: 'it names a file of the machine: leave it out' },
  ]
}

/** What is wrong with the id and the settings of a realm that is to be made. */
export function realmFaults(
  rules: SettingsRules<unknown>,
  { id, settings }: Pick<RealmRecord, 'id' | 'settings'>,
): RealmFault[] {
  const message = realmIdFault(id)
  const named = message === null ? [] : [{ path: 'id', message }]
  return [...named, ...settingsFaults(rules, id, settings)]
}

/** Why a realm that was exported elsewhere cannot be made; null when it can. */
export async function importFault(
  store: Pick<RealmStore, 'find'>,
  rules: SettingsRules<unknown>,
  realm: Pick<RealmRecord, 'id' | 'settings'>,
): Promise<string | null> {
  if ((await store.find(realm.id)) !== null)
    return `the realm ${realm.id} was deleted here, and its id is not used again: import it as another one with --realm`
  const faults = realmFaults(rules, realm)
  if (faults.length === 0) return null
  return faults.map(({ path, message }) => `settings.${path}: ${message}`).join('\n')
}

const NOT_MADE = {
  exists: 'one with its id was made meanwhile. Import it as another one with --realm',
  full: 'there are as many realms as there may be. Delete one, and import the file again',
}

/** Makes a realm whose records are imported. @param now Epoch seconds. @returns Why it could not be made; null when it is. */
export async function makeImported(
  store: Pick<RealmStore, 'create'>,
  realm: Pick<RealmRecord, 'id' | 'settings'>,
  now: number,
): Promise<string | null> {
  const made = await store.create(realm, now)
  return typeof made === 'string' ? `the records are imported, but not the realm: ${NOT_MADE[made]}` : null
}
