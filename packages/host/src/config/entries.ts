/** Reads the clients and users of a configuration: checks the fields of each, and reads its secret. */

import { randomUUID } from 'node:crypto'
import { type ClientStore, type ConfigFault, type clientInput, configFaults, readBy } from '@ostiary/core'
import { type IdentitySettings, type UserInput, usernameKey } from '@ostiary/identity'
import type * as z from 'zod'
import { type Environment, setting } from './environment.js'
import { type ConfigFile, clientSchema, userSchema } from './file-schema.js'
import { identitySettings } from './identity-settings.js'
import type { MailSettings } from './mail-settings.js'
import { mailSettings } from './smtp-variable.js'

/** A client of the configuration. */
export interface ClientEntry {
  /** Its path in the configuration, e.g. `clients.0` or `realms.acme.clients.0`. */
  path: string
  metadata: z.output<typeof clientInput>
  /** Of an entry that a key adds: why the stored client with its id is another one; null when it is none. */
  storedFault?(clients: Pick<ClientStore, 'find'>): Promise<string | null>
  /** It is left out where a stored record contradicts it. */
  is_optional?: true
  /** In clear; null for a public client. A random text if `readConfig` does not read secrets. */
  client_secret: string | null
}

/** A user of the configuration. */
export interface UserEntry {
  /** Its path in the configuration, e.g. `users.0`. */
  path: string
  user: UserInput
  /** The variable of `password_env` that is not set. Only a user who has no password yet needs it. */
  unset_variable?: string
  /** Each start sets this password again, even if the user has changed it. */
  resets_password?: true
}

/** Clients and users of the configuration that belong to one realm. */
export interface RealmEntries {
  clients: ClientEntry[]
  users: UserEntry[]
  /** What its sign-in offers beside passwords. */
  identity: IdentitySettings
  /** Null: it sends no mails. */
  mail: MailSettings | null
}

export const DEFAULT_REALM = 'default'

/**
 * Clients and users by realm id; the top level of the file is the realm `default`. An entry with a fault is left out.
 */
export function readEntries(file: ConfigFile, context: EntryContext): Record<string, RealmEntries> {
  const { faults } = context
  const read = (realm: Pick<ConfigFile, 'clients' | 'users' | 'identity'>, base: string): RealmEntries => ({
    clients: realm.clients.flatMap((entry, i) => readClient(entry, `${base}clients.${i}`, context)),
    users: realm.users.flatMap((entry, i) => readUser(entry, `${base}users.${i}`, context)),
    identity: identitySettings(realm.identity),
    mail: mailSettings(realm.identity.mail, `${base}identity.mail`, context),
  })
  const realms: Record<string, RealmEntries> = { [DEFAULT_REALM]: read(file, '') }
  for (const [id, realm] of Object.entries(file.realms)) {
    if (id === DEFAULT_REALM)
      faults.push({
        path: `realms.${id}`,
        message: 'write the clients and users of this realm at the top level',
      })
    else realms[id] = read(realm, `realms.${id}.`)
  }
  for (const { clients, users } of Object.values(realms)) {
    unique(clients, ({ metadata }) => metadata.client_id, { field: 'client_id', faults })
    unique(users, ({ user }) => usernameKey(user.username), { field: 'username', faults })
    unique(users, ({ user }) => user.sub ?? null, { field: 'sub', faults })
    for (const { path, user } of users) {
      const client = clients.find(({ metadata }) => metadata.client_id === user.sub)
      if (client)
        faults.push({
          path: `${path}.sub`,
          message: `it is the client_id of ${client.path}; take another one`,
        })
    }
  }
  return realms
}

export interface EntryContext {
  env: Environment
  /** Takes the faults. */
  faults: ConfigFault[]
  /** False: a variable is not read. The secret of its entry is then a random text that is not stored. */
  entry_secrets: boolean
}

function readClient(entry: unknown, path: string, context: EntryContext): ClientEntry[] {
  const { faults } = context
  const result = readBy(clientSchema, entry)
  if (!result.success) {
    faults.push(...configFaults(result.error, path))
    return []
  }
  const { client_secret, client_secret_env, ...metadata } = result.data
  const source = { key: `${path}.client_secret`, value: client_secret, variable: client_secret_env }
  const secret = readSecret(source, context)
  if (secret === 'faulty') return []
  if (secret !== null && 'unset_variable' in secret) {
    const { unset_variable } = secret
    const message = `the variable ${unset_variable} is not set: serve, doctor and config print need it`
    faults.push({ path: `${path}.client_secret_env`, message })
    return []
  }
  // The schema has not checked the value of a variable yet.
  const checked = readBy(clientSchema.shape.client_secret, secret?.value)
  if (checked.success) return [{ path, metadata, client_secret: checked.data ?? null }]
  faults.push(...faultsOfVariable(checked.error, source))
  return []
}

/** A client that a key of the configuration adds. */
export interface AddedClient {
  /** The key. */
  path: string
  metadata: { client_id: string }
  /** Whether these are the redirect URIs of the client: a stored client with others is another one. */
  redirectsTo(redirect_uris: readonly string[]): boolean
}

/**
 * Adds a client to the entries of a realm. The configuration then owns it: neither the API nor a command changes it. A client of the operator
 * with its id would become another one, so it is a fault. An optional one with a fault is not added.
 * @param added Null for none.
 */
export function addClient(
  added: AddedClient | null,
  realm: string,
  {
    realms,
    faults,
    is_optional = false,
  }: { realms: Record<string, RealmEntries>; faults: ConfigFault[]; is_optional?: boolean },
): void {
  if (added === null) return
  const { path, metadata, redirectsTo } = added
  realms[realm] ??= { clients: [], users: [], identity: {}, mail: null }
  const { clients, users } = realms[realm]
  const { client_id } = metadata
  const taken = clients.find((entry) => entry.metadata.client_id === client_id)
  if (taken !== undefined)
    faults.push({
      path: `${taken.path}.client_id`,
      message: `${path} adds a client with this id: take another one`,
    })
  const person = users.find(({ user }) => user.sub === client_id)
  if (person !== undefined)
    faults.push({
      path: `${person.path}.sub`,
      message: `${path} adds a client with this id: take another one`,
    })
  const storedFault: ClientEntry['storedFault'] = async (stored) => {
    const client = await stored.find(client_id)
    if (client === null || redirectsTo(client.redirect_uris)) return null
    return `it adds the client ${client_id}, and another one with this id is stored: set it to false, run ostiary client delete ${client_id}, and set it to true again`
  }
  const entries = readClient(metadata, path, { env: {}, faults, entry_secrets: false })
  if (is_optional && faults.length > 0) return
  clients.push(...entries.map((entry) => ({ ...entry, storedFault, ...(is_optional && { is_optional }) })))
}

function readUser(entry: unknown, path: string, context: EntryContext): UserEntry[] {
  const { faults } = context
  const result = readBy(userSchema, entry)
  if (!result.success) {
    faults.push(...configFaults(result.error, path))
    return []
  }
  const { password, password_env, ...rest } = result.data
  const source = { key: `${path}.password`, value: password, variable: password_env }
  const secret = readSecret(source, context)
  if (secret === 'faulty') return []
  if (secret !== null && 'unset_variable' in secret) return [{ path, user: rest as UserInput, ...secret }]
  const user = secret === null ? rest : { ...rest, password: secret.value }
  if (password_env === undefined) return [{ path, user: user as UserInput }]
  // The schema has not checked the value of a variable yet.
  const checked = readBy(userSchema.shape.password, secret?.value)
  if (checked.success) return [{ path, user: user as UserInput }]
  faults.push(...faultsOfVariable(checked.error, source))
  return []
}

interface SecretSource {
  /** The path of the key that holds the secret itself. */
  key: string
  value: string | undefined
  /** The name of an environment variable that holds the secret. */
  variable: string | undefined
}

/** What is wrong with the value of the variable. */
const faultsOfVariable = (
  error: Parameters<typeof configFaults>[0],
  { key, variable }: SecretSource,
): ConfigFault[] =>
  configFaults(error, `${key}_env`).map(({ path, message }) => ({
    path,
    message: `the value of ${variable}: ${message}`,
  }))

/** @returns Null when the entry has no secret; `faulty` when a fault was added. */
function readSecret(
  { key, value, variable }: SecretSource,
  { env, faults, entry_secrets }: EntryContext,
): { value: string } | { unset_variable: string } | 'faulty' | null {
  if (variable === undefined) return value === undefined ? null : { value }
  if (value !== undefined) {
    const message = `${key.split('.').at(-1)} is given too; keep one of the two`
    faults.push({ path: `${key}_env`, message })
    return 'faulty'
  }
  const secret = entry_secrets ? setting(env, variable) : randomUUID()
  return secret === undefined ? { unset_variable: variable } : { value: secret }
}

function unique<Entry extends { path: string }>(
  entries: readonly Entry[],
  key: (entry: Entry) => string | null,
  { field, faults }: { field: string; faults: ConfigFault[] },
): void {
  const first = new Map<string, string>()
  for (const entry of entries) {
    const value = key(entry)
    if (value === null) continue
    const other = first.get(value)
    if (other === undefined) first.set(value, entry.path)
    else faults.push({ path: `${entry.path}.${field}`, message: `${other} has the same one` })
  }
}
