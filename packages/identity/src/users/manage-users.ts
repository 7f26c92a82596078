/** Operations on users, for operators: create, synchronize with a configuration, set a password, disable. */

import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Claims } from '@ostiary/core'
import { usernameKey } from '@ostiary/core/common'
import { type Attributes, attributesFault, groupsFault } from './attributes.js'
import { changedUser } from './changed-user.js'
import { passwordRulesFault } from './check-password.js'
import type { PasswordRules } from './password-rules.js'
import { argon2Passwords, type PasswordHasher, passwordFault } from './passwords.js'
import { claimFault } from './standard-claims.js'
import type { User, UserStore } from './user-store.js'

/** A user to create or update. All other keys are claims (OpenID Connect Core §5.1): `email`, `name`, `address`, … */
export interface UserInput {
  /** Unique in the realm, compared without regard to case; trimmed. */
  username: string
  /** The plain text, 8 to 1,024 characters. */
  password?: string
  /** Generated when absent. */
  sub?: string
  /** Values by name, each what JSON can write. At most 100 names and 16 KiB of JSON. */
  attributes?: Attributes
  /** At most 500 names of 255 characters. */
  groups?: string[]
  [claim: string]: unknown
}

/** The result of `upsertUser`. */
export interface UpsertResult {
  sub: string
  outcome: 'created' | 'updated' | 'unchanged'
  /** True when the password of the input differs from the stored one; the stored one was kept. */
  other_password: boolean
}

/** Options of `upsertUser`. */
export interface UpsertOptions extends ManageUsersOptions {
  /** Whether a stored user without a password gets that of the input; yes when absent. */
  sets_password?: (stored: User) => Promise<boolean>
}

/** Options of the functions that change users. */
export interface ManageUsersOptions {
  /** The time in epoch seconds; the system's clock when absent. */
  now?: () => number
  /** `argon2Passwords()` when absent. */
  passwords?: PasswordHasher
  /** Of new passwords. */
  password_rules?: PasswordRules | null
}

/** The input is invalid or conflicts with a stored user; the message says what to do. */
export class UserError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UserError'
  }
}

/** Creates a user. @throws UserError when the username or `sub` is taken, or a value is invalid. */
export async function createUser(
  store: UserStore,
  input: UserInput,
  options: ManageUsersOptions = {},
): Promise<User> {
  const wanted = parseInput(input)
  const user = await insert(store, wanted, options)
  if (user) return user
  const taken = wanted.sub === undefined ? 'the username' : 'the username or the sub'
  throw new UserError(`user ${quote(wanted.username)}: ${taken} is taken`)
}

/**
 * Creates the user, or updates it to match the input. The claims are replaced, and so are the attributes and the groups,
 * unless they are absent. A stored password is kept, because the user may have chosen it. A disabled user stays disabled.
 * @throws UserError when the input conflicts with a stored user, or a value is invalid.
 */
export async function upsertUser(
  store: UserStore,
  input: UserInput,
  options: UpsertOptions = {},
): Promise<UpsertResult> {
  const wanted = parseInput(input)
  let stored = await findStored(store, wanted)
  if (!stored) {
    const created = await insert(store, wanted, options)
    if (created) return { sub: created.sub, outcome: 'created', other_password: false }
    // Another server has created the user at the same time.
    stored = await findStored(store, wanted)
  }
  const { username, username_key, claims, attributes, groups } = wanted
  if (!stored)
    throw new UserError(
      wanted.sub === undefined
        ? `user ${quote(username)}: it was removed at the same time, or is the confirmed address of another user`
        : `user ${quote(username)}: the sub ${quote(wanted.sub)} is that of a deleted user, and a sub is never reassigned. Take another sub`,
    )
  const stays_without = stored.password_hash === null && (await options.sets_password?.(stored)) === false
  const password = stays_without ? undefined : wanted.password
  if (stored.password_hash === null) await requireRules(options, wanted, password)
  const { password_hash, other_password } = await passwordToStore(stored, password, options.passwords)
  const changes = {
    username,
    username_key,
    claims,
    ...(attributes !== undefined && { attributes }),
    ...(groups !== undefined && { groups }),
    // Absent when unchanged, because the user may change the password at the same time.
    ...(password_hash !== stored.password_hash && { password_hash }),
  }
  const { sub } = stored
  if (isDeepStrictEqual({ ...stored, ...changes }, stored))
    return { sub, outcome: 'unchanged', other_password }
  if (!(await changeUser(store, { sub, changes, now: options.now })))
    throw new UserError(
      `user ${quote(username)}: another process took the username or removed the user at the same time; try again`,
    )
  return { sub, outcome: 'updated', other_password }
}

/** Why `upsertUser` would refuse the input because of a stored user: a sentence; null when it would not. */
export async function userConflict(store: UserStore, input: UserInput): Promise<string | null> {
  try {
    await findStored(store, parseInput(input))
    return null
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
}

/**
 * Replaces the user's password. Returns false when there is no such user.
 * @throws UserError when the password is too short or too long, or against `password_rules`.
 */
export async function setPassword(
  store: UserStore,
  login: { sub: string; password: string },
  options: ManageUsersOptions = {},
): Promise<boolean> {
  const { sub, password } = login
  const fault = passwordFault(password)
  if (fault) throw new UserError(fault)
  const stored = options.password_rules ? await store.find(sub) : null
  if (stored) await requireRules(options, stored, password)
  const password_hash = await (options.passwords ?? defaultPasswords).hash(password)
  return changeUser(store, { sub, changes: { password_hash }, now: options.now })
}

/**
 * Disables or enables a user. A disabled user cannot sign in, and the user's tokens are refused. Returns false when there is
 * no such user.
 */
export function setDisabled(
  store: UserStore,
  change: { sub: string; disabled: boolean },
  options: ManageUsersOptions = {},
): Promise<boolean> {
  const { now = clock } = options
  const disabled_at = change.disabled ? now() : null
  return changeUser(store, { sub: change.sub, changes: { disabled_at }, now })
}

const defaultPasswords = argon2Passwords()
const clock = () => Math.floor(Date.now() / 1000)
const quote = (value: string) => JSON.stringify(value)

/** Whether a user can have this `sub` (OpenID Connect Core §2). */
export const isSub = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text)

interface ParsedUser {
  username: string
  username_key: string
  password: string | undefined
  sub: string | undefined
  claims: Claims
  attributes: Attributes | undefined
  groups: string[] | undefined
}

function parseInput(input: UserInput): ParsedUser {
  const { username, password, sub, attributes, groups, ...rest } = input
  const claims = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const refusal = (fault: string) => new UserError(`user ${quote(username)}: ${fault}`)
  const username_key = usernameKey(username)
  if (username_key === null) throw refusal('a username has 1 to 255 characters, and no control characters')
  if (sub !== undefined && !isSub(sub))
    throw refusal('a sub has 1 to 255 printable ASCII characters, and no spaces')
  const fault = inputFault(input, claims)
  if (fault) throw refusal(fault)
  return {
    username: username.trim(),
    username_key,
    password,
    sub,
    claims,
    // As storage returns it: -0 becomes 0.
    attributes: attributes && JSON.parse(JSON.stringify(attributes)),
    groups: groups && [...new Set(groups)],
  }
}

/** A clause about the first value that is invalid, or null. */
function inputFault({ password, attributes, groups }: UserInput, claims: Claims): string | null {
  return (
    (password === undefined ? null : passwordFault(password)) ??
    claimFault(claims) ??
    (attributes === undefined ? null : attributesFault(attributes)) ??
    (groups === undefined ? null : groupsFault(groups))
  )
}

async function insert(
  store: UserStore,
  wanted: ParsedUser,
  options: ManageUsersOptions,
): Promise<User | null> {
  const { username, username_key, password, sub, claims, attributes = null, groups = null } = wanted
  const { now = clock, passwords = defaultPasswords } = options
  await requireRules(options, wanted, password)
  const time = now()
  const user: User = {
    sub: sub ?? newSub(),
    username,
    username_key,
    password_hash: password === undefined ? null : await passwords.hash(password),
    claims,
    attributes,
    groups,
    created_at: time,
    updated_at: time,
    disabled_at: null,
    credential_version: 0,
    second_step: false,
  }
  return (await store.create(user)) ? user : null
}

type Named = Pick<User, 'username' | 'claims'>

async function requireRules(options: ManageUsersOptions, { username, claims }: Named, password?: string) {
  const rules = options.password_rules
  const candidate = password !== undefined && { password, username, email: claims.email }
  const fault = rules && candidate && (await passwordRulesFault(rules, candidate))
  if (fault) throw new UserError(`user ${quote(username)}: ${fault}`)
}

async function findStored(
  store: UserStore,
  { username, username_key, sub }: ParsedUser,
): Promise<User | null> {
  const [bySub, byName] = await Promise.all([
    sub === undefined ? null : store.find(sub),
    store.findByUsername(username_key),
  ])
  if (byName && sub !== undefined && byName.sub !== sub)
    throw new UserError(
      `user ${quote(username)}: already exists with the sub ${quote(byName.sub)}, and a sub is never reassigned. ` +
        'Remove the sub, use the stored one, or choose another username',
    )
  return bySub ?? byName
}

/** 128 random bits. It does not begin with a dash, which a command line would read as an option. */
const newSub = () => randomBytes(16).toString('base64url').replace(/^-/, 'A')

/**
 * The stored hash, renewed when it is weak and the input has the same password. Without one: the hash of the input's password.
 */
async function passwordToStore(
  { password_hash }: User,
  password: string | undefined,
  passwords: PasswordHasher = defaultPasswords,
): Promise<{ password_hash: string | null; other_password: boolean }> {
  if (password === undefined) return { password_hash, other_password: false }
  const other_password = password_hash !== null && !(await passwords.verify(password_hash, password))
  const kept = password_hash !== null && (other_password || !passwords.stale(password_hash))
  return { password_hash: kept ? password_hash : await passwords.hash(password), other_password }
}

interface UserChange {
  sub: string
  changes: Partial<User>
  now: (() => number) | undefined
}

/** An attempt fails when another writer changes the user between its read and its write. */
const MAX_UPDATE_ATTEMPTS = 5

/** False when there is no such user, or every attempt failed. */
async function changeUser(store: UserStore, { sub, changes, now = clock }: UserChange): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_UPDATE_ATTEMPTS; attempt++) {
    const stored = await store.find(sub)
    if (!stored) return false
    if (await store.update(changedUser(stored, changes, now()), stored.updated_at)) return true
  }
  return false
}
