/** The clients and users that a configuration names, each with its path, its secret found and its fields checked. */

import { type clientInput, describeConfigFaults } from '@ostiary/core'
import { type UserInput, usernameKey } from '@ostiary/identity'
import type * as z from 'zod'
import { type Environment, setting } from './environment.js'
import { type ConfigFile, clientSchema, userSchema } from './file-schema.js'

/** A client of the configuration, and where it stands there. */
export interface ClientEntry {
  /** Where it stands, e.g. `clients.0` or `realms.acme.clients.0`. */
  path: string
  metadata: z.output<typeof clientInput>
  /** In clear; null for a public client. */
  client_secret: string | null
}

/** A user of the configuration, and where it stands there. */
export interface UserEntry {
  path: string
  user: UserInput
  /** The password is this one after each start, whatever it was before. */
  resets_password?: true
}

/** Clients and users of the configuration that belong to one realm. */
export interface RealmEntries {
  clients: ClientEntry[]
  users: UserEntry[]
}

export const DEFAULT_REALM = 'default'

/** By realm id. The top level of the file is the realm `default`; what is faulty is left out and reported. */
export function readEntries(
  file: ConfigFile,
  env: Environment,
  faults: string[],
): Record<string, RealmEntries> {
  const read = ({ clients, users }: Pick<ConfigFile, 'clients' | 'users'>, base: string): RealmEntries => ({
    clients: clients.flatMap((entry, i) => readClient(entry, `${base}clients.${i}`, { env, faults })),
    users: users.flatMap((entry, i) => readUser(entry, `${base}users.${i}`, { env, faults })),
  })
  const realms: Record<string, RealmEntries> = { [DEFAULT_REALM]: read(file, '') }
  for (const [id, realm] of Object.entries(file.realms)) {
    if (id === DEFAULT_REALM)
      faults.push(`realms.${id}: write the clients and users of this realm at the top level`)
    else realms[id] = read(realm, `realms.${id}.`)
  }
  for (const { clients, users } of Object.values(realms)) {
    unique(clients, ({ metadata }) => metadata.client_id, { field: 'client_id', faults })
    unique(users, ({ user }) => usernameKey(user.username), { field: 'username', faults })
    unique(users, ({ user }) => user.sub ?? null, { field: 'sub', faults })
    for (const { path, user } of users) {
      const client = clients.find(({ metadata }) => metadata.client_id === user.sub)
      if (client) faults.push(`${path}.sub: it is the client_id of ${client.path}; take another one`)
    }
  }
  return realms
}

interface Reading {
  env: Environment
  faults: string[]
}

function readClient(entry: unknown, path: string, { env, faults }: Reading): ClientEntry[] {
  const result = clientSchema.safeParse(entry)
  if (!result.success) {
    faults.push(describeConfigFaults(result.error, path))
    return []
  }
  const { client_secret, client_secret_env, ...metadata } = result.data
  const given = { field: 'client_secret', value: client_secret, variable: client_secret_env }
  const secret = readSecret(given, path, { env, faults })
  if (secret === 'faulty') return []
  // What came from a variable has yet to meet the rules.
  const checked = clientSchema.shape.client_secret.safeParse(secret?.value)
  if (checked.success) return [{ path, metadata, client_secret: checked.data ?? null }]
  faults.push(describeConfigFaults(checked.error, `${path}.client_secret_env`))
  return []
}

function readUser(entry: unknown, path: string, { env, faults }: Reading): UserEntry[] {
  const result = userSchema.safeParse(entry)
  if (!result.success) {
    faults.push(describeConfigFaults(result.error, path))
    return []
  }
  const { password, password_env, ...rest } = result.data
  const given = { field: 'password', value: password, variable: password_env }
  const secret = readSecret(given, path, { env, faults })
  if (secret === 'faulty') return []
  const user = secret === null ? rest : { ...rest, password: secret.value }
  if (password_env === undefined) return [{ path, user: user as UserInput }]
  // What came from a variable has yet to meet the rules.
  const checked = userSchema.safeParse(user)
  if (checked.success) return [{ path, user: user as UserInput }]
  faults.push(describeConfigFaults(checked.error, path).replaceAll('.password:', '.password_env:'))
  return []
}

interface Given {
  field: string
  value: string | undefined
  /** The name of an environment variable that holds it. */
  variable: string | undefined
}

function readSecret({ field, value, variable }: Given, path: string, { env, faults }: Reading) {
  if (variable === undefined) return value === undefined ? null : { value }
  const fault = (text: string): 'faulty' => {
    faults.push(`${path}.${field}_env: ${text}`)
    return 'faulty'
  }
  if (value !== undefined) return fault(`${field} is given too; keep one of the two`)
  const found = setting(env, variable)
  return found === undefined ? fault(`the variable ${variable} is not set`) : { value: found }
}

function unique<Entry extends { path: string }>(
  entries: readonly Entry[],
  key: (entry: Entry) => string | null,
  { field, faults }: { field: string; faults: string[] },
): void {
  const first = new Map<string, string>()
  for (const entry of entries) {
    const value = key(entry)
    if (value === null) continue
    const other = first.get(value)
    if (other === undefined) first.set(value, entry.path)
    else faults.push(`${entry.path}.${field}: ${other} has the same one`)
  }
}
