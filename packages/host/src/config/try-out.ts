/** Try-out mode: a server without a configuration, with a demo user and a demo client. */

import { randomBytes, randomInt } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { ConfigError, clientInput, MIN_SECRET_LENGTH } from '@ostiary/core'
import * as z from 'zod'
import { isLoopbackAddress } from '../network/public-address.js'
import type { RealmEntries } from './entries.js'
import type { Environment } from './environment.js'
import type { ConfigFile } from './file-schema.js'
import { parseJson } from './json.js'
import { DEFAULT_FILE } from './sources.js'

/** The demo user of try-out mode. */
export interface TryOut {
  username: string
  password: string
  /** Nothing has been kept yet, so the password has never been shown. */
  first_start: boolean
  /** Where secret and password are kept; for people, so relative where that is shorter. */
  file: string
  /** Stores them for the next start. Called once the server is up, so that no failed start swallows the password. */
  keep(): Promise<void>
}

/**
 * A deployment whose file is missing must not become a demo: it would write a user with a printed password into the
 * database of the deployment.
 * @returns A sentence; null where nothing says that this is a deployment.
 */
export function whyNoTryOut(
  { host, database_url, redis_url }: Pick<ConfigFile, 'host' | 'database_url' | 'redis_url'>,
  { env, cwd }: { env: Environment; cwd: string },
): string | null {
  const signs = [
    ...(database_url === undefined ? [] : ['DATABASE_URL is set']),
    ...(redis_url === undefined ? [] : ['REDIS_URL is set']),
    ...(env.NODE_ENV === 'production' ? ['NODE_ENV is production'] : []),
    ...(isLoopback(host) ? [] : [`HOST is ${host}`]),
  ]
  if (signs.length === 0) return null
  return (
    `${resolve(cwd, DEFAULT_FILE)} does not exist, and try-out mode is refused because ${signs.join(' and ')}: ` +
    'write that file, or name yours with OSTIARY_CONFIG; `ostiary serve --try-out` starts the demo all the same'
  )
}

const isLoopback = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host)

const keptSchema = z.strictObject({
  secret: z.string().min(MIN_SECRET_LENGTH),
  password: z.string().min(8),
})
type Kept = z.output<typeof keptSchema>

/**
 * What an earlier start has kept in the folder, or something new.
 * @param cwd What `file` is relative to.
 * @throws ConfigError when what is kept cannot be used.
 */
export async function openTryOut(directory: string, cwd: string): Promise<TryOut & { secret: string }> {
  const path = join(directory, 'try-out.json')
  const found = await readKept(path)
  const kept = found ?? { secret: randomBytes(32).toString('base64url'), password: newPassword() }
  const shorter = relative(cwd, path)
  return {
    ...kept,
    username: DEMO.username,
    first_start: found === null,
    file: shorter.startsWith('..') ? path : shorter,
    keep: () => keep(directory, path, kept),
  }
}

/** What tells the records of try-out mode from an operator's. */
export const DEMO = {
  client_id: 'demo',
  client_name: 'Ostiary demo',
  username: 'demo',
  email: 'demo@example.com',
}

/** The client at `<issuer>/demo`, and a user who can sign in to it. */
export function demoEntries(
  issuer: string,
  { username, password }: Pick<TryOut, 'username' | 'password'>,
): RealmEntries {
  const metadata = clientInput.parse({
    client_id: DEMO.client_id,
    client_name: DEMO.client_name,
    redirect_uris: [`${issuer}/demo`],
    post_logout_redirect_uris: [`${issuer}/demo`],
  })
  const user = {
    username,
    password,
    name: 'Demo User',
    given_name: 'Demo',
    family_name: 'User',
    preferred_username: username,
    email: DEMO.email,
    email_verified: true,
    locale: 'en',
  }
  return {
    clients: [{ path: 'the demo client', metadata, client_secret: null }],
    // It was printed, so it must work.
    users: [{ path: 'the demo user', user, resets_password: true }],
  }
}

async function readKept(path: string): Promise<Kept | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new ConfigError(`DATA_DIR: ${path} cannot be read (${codeOf(error)})`)
  }
  const json = parseJson(text)
  const result = 'value' in json ? keptSchema.safeParse(json.value) : null
  if (!result?.success)
    throw new ConfigError(`DATA_DIR: ${path} is damaged; delete the folder to start afresh`)
  return result.data
}

/** Only for the owner's eyes. Never over another one: two servers that start at once must not swap passwords. */
async function keep(directory: string, path: string, kept: Kept): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await writeFile(path, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw new ConfigError(`DATA_DIR: ${path} cannot be written (${codeOf(error)})`)
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : error)

/** 80 bits, in letters and digits that nobody confuses. */
export function newPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}
