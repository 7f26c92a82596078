/** What an operator does with users: create, bring in line with a configuration, set a password, disable. */

import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Claims } from '@ostiary/core'
import { argon2Passwords, type Passwords, passwordFault } from './passwords.js'
import { claimFault } from './standard-claims.js'
import { type User, type UserStore, usernameKey } from './user-store.js'

/** The rest are claims by their own names (OpenID Connect Core §5.1): `email`, `name`, `address`, … */
export interface UserInput {
  /** Unique in the realm without regard to case; trimmed. */
  username: string
  /** In clear; at least 8 characters. */
  password?: string
  /** Generated when absent. */
  sub?: string
  [claim: string]: unknown
}

/** What `upsertUser` did. */
export interface UpsertedUser {
  sub: string
  outcome: 'created' | 'updated' | 'unchanged'
  /** The given password is not the one in force, which stays. */
  other_password: boolean
}

/** What the functions that change users take. */
export interface ManageOptions {
  /** Epoch seconds. */
  now?: () => number
  /** `argon2Passwords()` when absent. */
  passwords?: Passwords
}

/** The user cannot be like this; the message says what to do. */
export class UserError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UserError'
  }
}

/** @throws UserError when the username or `sub` is taken, or a value is wrong. */
export async function createUser(
  store: UserStore,
  input: UserInput,
  options: ManageOptions = {},
): Promise<User> {
  const wanted = parseInput(input)
  const user = await insert(store, wanted, options)
  if (user) return user
  const taken = wanted.sub === undefined ? 'the username' : 'the username or the sub'
  throw new UserError(`user ${quote(wanted.username)}: ${taken} is taken`)
}

/**
 * Brings the user in line with the input: the claims become exactly the given ones. The password is a first one: a user
 * who has one keeps it, since it may have been chosen for a reason. A user that was disabled stays so.
 * @throws UserError when the input contradicts what is stored, or a value is wrong.
 */
export async function upsertUser(
  store: UserStore,
  input: UserInput,
  options: ManageOptions = {},
): Promise<UpsertedUser> {
  const wanted = parseInput(input)
  let stored = await findStored(store, wanted)
  if (!stored) {
    const created = await insert(store, wanted, options)
    if (created) return { sub: created.sub, outcome: 'created', other_password: false }
    // Another server that starts at the same moment was faster.
    stored = await findStored(store, wanted)
  }
  const { username, username_key, claims } = wanted
  if (!stored) throw new UserError(`user ${quote(username)}: was created and removed just now`)
  const { password_hash, other_password } = await passwordToStore(stored, wanted.password, options.passwords)
  const changes = {
    username,
    username_key,
    claims,
    // Not the stored one again: the person may be choosing another at this moment.
    ...(password_hash !== stored.password_hash && { password_hash }),
  }
  const { sub } = stored
  if (isDeepStrictEqual({ ...stored, ...changes }, stored))
    return { sub, outcome: 'unchanged', other_password }
  if (!(await changeUser(store, { sub, changes, now: options.now })))
    throw new UserError(`user ${quote(username)}: the username was taken, or the user removed, just now`)
  return { sub, outcome: 'updated', other_password }
}

/**
 * False when there is no such user.
 * @throws UserError when the password is too short or too long.
 */
export async function setPassword(
  store: UserStore,
  login: { sub: string; password: string },
  options: ManageOptions = {},
): Promise<boolean> {
  const fault = passwordFault(login.password)
  if (fault) throw new UserError(fault)
  const password_hash = await (options.passwords ?? defaultPasswords).hash(login.password)
  return changeUser(store, { sub: login.sub, changes: { password_hash }, now: options.now })
}

/** A disabled user cannot sign in, and tokens are refused. False when there is no such user. */
export function setDisabled(
  store: UserStore,
  change: { sub: string; disabled: boolean },
  options: ManageOptions = {},
): Promise<boolean> {
  const { now = clock } = options
  const disabled_at = change.disabled ? now() : null
  return changeUser(store, { sub: change.sub, changes: { disabled_at }, now })
}

const defaultPasswords = argon2Passwords()
const clock = () => Math.floor(Date.now() / 1000)
const quote = (value: string) => JSON.stringify(value)

interface ParsedUser {
  username: string
  username_key: string
  password: string | undefined
  sub: string | undefined
  claims: Claims
}

function parseInput(input: UserInput): ParsedUser {
  const { username, password, sub, ...rest } = input
  const claims = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const refuse = (fault: string) => new UserError(`user ${quote(username)}: ${fault}`)
  const username_key = usernameKey(username)
  if (username_key === null) throw refuse('a username has 1 to 255 characters, and no control characters')
  if (sub !== undefined && !/^[\x21-\x7e]{1,255}$/.test(sub))
    throw refuse('a sub has 1 to 255 printable ASCII characters, and no spaces')
  const fault = (password === undefined ? null : passwordFault(password)) ?? claimFault(claims)
  if (fault) throw refuse(fault)
  return { username: username.trim(), username_key, password, sub, claims }
}

async function insert(store: UserStore, wanted: ParsedUser, options: ManageOptions): Promise<User | null> {
  const { username, username_key, password, sub, claims } = wanted
  const { now = clock, passwords = defaultPasswords } = options
  const time = now()
  const user: User = {
    sub: sub ?? newSub(),
    username,
    username_key,
    password_hash: password === undefined ? null : await passwords.hash(password),
    claims,
    created_at: time,
    updated_at: time,
    disabled_at: null,
  }
  return (await store.create(user)) ? user : null
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
      `user ${quote(username)}: exists already with the sub ${quote(byName.sub)}, and a sub is never reassigned. ` +
        'Leave sub out, give the stored one, or choose another username',
    )
  return bySub ?? byName
}

/** 128 bits. It does not begin with a dash, or a command line would take it for an option. */
const newSub = () => randomBytes(16).toString('base64url').replace(/^-/, 'A')

/** The stored hash, if there is one. Of the given password, it is made anew when it has become too weak. */
async function passwordToStore(
  { password_hash }: User,
  password: string | undefined,
  passwords: Passwords = defaultPasswords,
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

/** Each attempt that fails means that another writer changed the user in between. */
const MAX_UPDATE_ATTEMPTS = 5

/** False when there is no such user, or every attempt failed. */
async function changeUser(store: UserStore, { sub, changes, now = clock }: UserChange): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_UPDATE_ATTEMPTS; attempt++) {
    const stored = await store.find(sub)
    if (!stored) return false
    const updated_at = Math.max(now(), stored.updated_at + 1)
    if (await store.update({ ...stored, ...changes, updated_at }, stored.updated_at)) return true
  }
  return false
}
