/** Imports the users of a file into a realm. */

import { totpImport, usernameKey } from '@ostiary/identity'
import type { ReadUser, UserImport, UserLine } from '@ostiary/password-hashes/users'
import type { RealmEntries } from '../config/entries.js'
import type { Environment } from '../config/environment.js'
import { hasPasswords } from '../config/has-passwords.js'
import { type ManageOptions, manageRealm } from './manage.js'
import { linesOf, parseJson } from './realm-file.js'
import { secretsOf } from './secrets.js'

export interface UserImportOptions extends ManageOptions {
  file: string
  /** Nothing is stored. */
  dry_run: boolean
  /** Stored users who differ get what the file has; otherwise they are refused. */
  update: boolean
}

/** @throws UserLinesError, ConfigError, StorageError, RealmError */
export function importUserFile(
  env: Environment,
  { file, update, dry_run, ...managing }: UserImportOptions,
): Promise<UserImport & { realm: string }> {
  return manageRealm(env, managing, async ({ users, factors, storage, entries, realm, config }) => {
    const { importUsers, userLineCheck } = await import('@ostiary/password-hashes/users')
    const now = Math.floor(Date.now() / 1000)
    const totp = totpImport({ realm: realm.id, now, ...secretsOf(config) })
    const refusal = (line: UserLine) => configured(line, entries)
    const target = { users, factors, clients: storage.clients, refusal, totp, update, now }
    const check = userLineCheck({
      passwords: hasPasswords(entries.identity),
      second_factor: (entries.identity.second_factor ?? 'off') !== 'off',
    })
    const report = await importUsers(() => readUsers(file, check), target, { dry_run })
    return { ...report, realm: realm.id }
  })
}

type UserLineCheck = (value: unknown) => Promise<UserLine | string>

async function* readUsers(file: string, check: UserLineCheck): AsyncGenerator<ReadUser> {
  for await (const { line, text } of linesOf(file)) yield { line, user: await userOf(text, check) }
}

async function userOf(text: string | null, check: UserLineCheck): Promise<UserLine | string> {
  if (text === null) return 'it is longer than 1048576 bytes, or not UTF-8'
  return check(parseJson(text))
}

/** What the configuration names is changed there. */
function configured({ username_key, sub }: UserLine, { users, clients }: RealmEntries): string | null {
  const entry = users.find(
    ({ user }) => usernameKey(user.username) === username_key || (sub !== null && user.sub === sub),
  )
  if (entry !== undefined) return `the configuration has this user, ${entry.path}: change it there`
  return clients.some(({ metadata }) => metadata.client_id === sub)
    ? `sub: ${JSON.stringify(sub)} is the client_id of a client; take another one`
    : null
}
