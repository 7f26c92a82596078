/**
 * The sign-ins of a user, in one file that only the user can read: for each server, the refresh token and the key to which its tokens
 * are bound.
 */

import { createHash, randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { chmod, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LoginError } from '../login-error.js'
import { configFolder, type Environment } from './config-folder.js'
import { codeOf, withLock } from './lock.js'

/** A private key of P-256 (RFC 7518 §6.2). */
export interface ProofKey {
  kty: string
  crv: string
  x: string
  y: string
  d: string
}

/** A sign-in to a server. */
export interface SignIn {
  issuer: string
  /** The URI of the admin API. */
  resource: string
  /** The scopes that the user has allowed, with spaces between them. */
  scope: string
  sub: string
  username: string | null
  /** Epoch seconds. */
  signed_in_at: number
  refresh_token: string
  /** The private key of DPoP proofs; null where tokens are not bound. */
  dpop_key: ProofKey | null
}

/** The sign-ins of a user. */
export interface CredentialStore {
  /** By the origin of the server. @throws LoginError when the file is not valid, or others can read it. */
  all(): Promise<Map<string, SignIn>>
  /** Stores the sign-in to a server; null removes it. */
  put(server: string, sign_in: SignIn | null): Promise<void>
  /** Runs while no other command does so for the same server. */
  alone<T>(server: string, run: () => Promise<T>): Promise<T>
}

const VERSION = 1
const MAX_FILE_BYTES = 1_048_576

export function credentialStore(env: Environment): CredentialStore {
  const folder = configFolder(env)
  const path = join(folder, 'sign-ins.json')
  const locked = async <T>(name: string, run: () => Promise<T>) => {
    await makeFolder(folder)
    return withLock(join(folder, `${name}.lock`), run)
  }
  return {
    all: () => read(path),
    put: (server, sign_in) =>
      locked('sign-ins', async () => {
        const entries = await read(path)
        if (sign_in === null) entries.delete(server)
        else entries.set(server, sign_in)
        await write(path, entries)
      }),
    alone: (server, run) => locked(createHash('sha256').update(server).digest('hex').slice(0, 16), run),
  }
}

async function makeFolder(folder: string): Promise<void> {
  if ((await mkdir(folder, { recursive: true, mode: 0o700 })) === undefined) await requireOwn(folder)
  // The process may have a mask that takes more away.
  else await chmod(folder, 0o700)
}

/** Who can write in the folder can replace the file. @throws LoginError */
async function requireOwn(folder: string): Promise<void> {
  requirePrivate(await stat(folder), { path: folder, others: 0o022, mode: '700' })
}

interface Privacy {
  path: string
  /** The permissions that others must not have. */
  others: number
  /** What is right, for chmod. */
  mode: string
}

/** Windows has no such permissions: the folder of the user is private there. @throws LoginError */
function requirePrivate({ mode, uid }: Stats, { path, others, mode: right }: Privacy): void {
  if (process.platform === 'win32') return
  if (uid !== process.getuid?.())
    throw new LoginError(`${path} belongs to another user of this computer: run the command as that user`)
  if ((mode & others) !== 0)
    throw new LoginError(
      `Other users of this computer can read or change ${path}: run chmod ${right} ${path}, then sign out with ostiary logout and in again`,
    )
}

/** An absent file has no sign-ins. @throws LoginError */
async function read(path: string): Promise<Map<string, SignIn>> {
  const text = await textOf(path)
  if (text === null) return new Map()
  const entries = parsed(text)
  if (entries === null)
    throw new LoginError(`${path} is not a file of sign-ins: remove it, and run ostiary login again`)
  return entries
}

/** @throws LoginError when others can read the file. */
async function textOf(path: string): Promise<string | null> {
  const handle = await open(path, 'r').catch((error) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  if (handle === null) return null
  try {
    const stats = await handle.stat()
    requirePrivate(stats, { path, others: 0o077, mode: '600' })
    return stats.size > MAX_FILE_BYTES ? '' : await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

/** Null for another text. */
function parsed(text: string): Map<string, SignIn> | null {
  const file = jsonOf(text)
  if (!isObject(file) || file.version !== VERSION || !isObject(file.servers)) return null
  const entries = Object.entries(file.servers)
  return entries.every((entry): entry is [string, SignIn] => isSignIn(entry[1])) ? new Map(entries) : null
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const TEXTS = ['issuer', 'resource', 'scope', 'sub', 'refresh_token'] as const

const isSignIn = (value: unknown): value is SignIn =>
  isObject(value) &&
  TEXTS.every((name) => typeof value[name] === 'string') &&
  (value.username === null || typeof value.username === 'string') &&
  typeof value.signed_in_at === 'number' &&
  typeof value.dpop_key === 'object'

/** In place of the file at once: a command that reads it finds the former one or this one. */
async function write(path: string, entries: ReadonlyMap<string, SignIn>): Promise<void> {
  const file = { version: VERSION, servers: Object.fromEntries(entries) }
  const next = `${path}.${randomUUID()}`
  try {
    await writeFile(next, `${JSON.stringify(file, null, 2)}\n`, { flag: 'wx', mode: 0o600, flush: true })
    await rename(next, path)
  } catch (error) {
    await rm(next, { force: true })
    throw error
  }
}
