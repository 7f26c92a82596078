/** Stores a user of the file. */

import { randomBytes } from 'node:crypto'
import type { User } from '@ostiary/identity'
import { changedFields, type Found, findUser, takesApps } from './stored-user.js'
import type { ImportTarget, UserLine } from './target.js'

/** What an import does with a user, or why it does nothing: a sentence without a full stop. */
export type Outcome = 'created' | 'updated' | 'identical' | { reason: string }

export function outcomeOf(found: Found, { update }: Pick<ImportTarget, 'update'>): Outcome {
  if (found.is === 'new') return 'created'
  if (found.is === 'refused') return { reason: found.reason }
  if (found.fields.length === 0) return 'identical'
  if (update) return 'updated'
  return {
    reason: `the stored user differs in ${found.fields.join(', ')}: --update takes what the file has`,
  }
}

/** Another process may change the user between the read and the write. */
const MAX_STORE_ATTEMPTS = 5

/** Creates the user, or changes the stored one. */
export async function storeUser(line: UserLine, target: ImportTarget): Promise<Outcome> {
  for (let attempt = 0; attempt < MAX_STORE_ATTEMPTS; attempt += 1) {
    const found = await findUser(line, target)
    const outcome = outcomeOf(found, target)
    if (outcome === 'identical' || typeof outcome === 'object') return outcome
    const stored = found.is === 'known' ? change(line, found.stored, target) : createUser(line, target)
    if (await stored) return outcome
  }
  return {
    reason:
      line.sub === null
        ? 'another process is changing the user at the same time: import the file again'
        : 'the sub is that of a deleted user, which is never reassigned, or another process is changing the user at the same time',
  }
}

/**
 * The app is stored after the user, and `second_step` with the user: between both, and when the process ends there, the password alone does
 * not sign the user in. The next import with `update` adds the app.
 * @returns False when the username or the sub is taken.
 */
export async function createUser(line: UserLine, target: ImportTarget): Promise<boolean> {
  const { username, username_key, sub, password_hash, claims, attributes, groups, disabled, totp } = line
  const { users, now } = target
  const user: User = {
    sub: sub ?? newSub(),
    username,
    username_key,
    password_hash,
    claims,
    attributes,
    groups,
    created_at: now,
    updated_at: now,
    disabled_at: disabled ? now : null,
    credential_version: 0,
    second_step: totp.length > 0,
  }
  return (await users.create(user)) && (totp.length === 0 || addApps(line, user, target))
}

function addApps({ totp }: UserLine, user: User, target: ImportTarget): Promise<boolean> {
  const { sub, credential_version } = user
  const add = totp.map((app) => target.totp({ ...app, sub }))
  return target.factors.change({ sub, add, second_step: true }, { credential_version, now: target.now })
}

/** The apps change the version of the record: after them, it is read again. */
async function change(line: UserLine, stored: User, target: ImportTarget): Promise<boolean> {
  const { users, now } = target
  const user = changedRecord(stored, changedFields(line, stored, now), now)
  if (!(await users.update(user, stored.updated_at))) return false
  return !(await takesApps(line, user, target.factors)) || addApps(line, user, target)
}

/** As identity changes a record: a sign-in that began before a new password, or before the user was disabled, does not end well. */
function changedRecord(stored: User, changes: Partial<User>, now: number): User {
  const ends = 'password_hash' in changes || 'disabled_at' in changes
  return {
    ...stored,
    ...changes,
    updated_at: Math.max(now, stored.updated_at + 1),
    credential_version: stored.credential_version + (ends ? 1 : 0),
  }
}

/** As identity makes them: 128 random bits, without a dash at the start, which a command line would read as an option. */
const newSub = (): string => randomBytes(16).toString('base64url').replace(/^-/, 'A')
