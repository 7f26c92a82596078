/** Try-out mode: a server without a configuration, with a demo user and a demo client. */

import { randomBytes, randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { ConfigError, clientInput, MIN_SECRET_LENGTH } from '@ostiary/core'
import * as z from 'zod'
import { isLoopbackAddress } from '../network/public-address.js'
import type { RealmEntries } from './entries.js'
import type { Environment } from './environment.js'
import type { ConfigFile } from './file-schema.js'
import { parseJson } from './json.js'
import { DEFAULT_FILE } from './sources.js'
import type { StorageChoice } from './storage-choice.js'

/** The demo user of try-out mode. */
export interface TryOut {
  username: string
  password: string
  /** True when no server has listened with this password yet, and so none has printed it. */
  first_start: boolean
  /** True when an earlier start has stored the secret and the password. */
  stored: boolean
  /** The file that holds the secret and the password; relative to the working directory if it is in there. */
  file: string
  /** Stores the secret and the password. `createApp` does it before the storage is opened: a secret that encrypts keys is never lost. */
  keep(): Promise<void>
  /** Stores that the password has been printed. */
  shown(): Promise<void>
}

/** Where `stored` is false. Most likely the folder or the environment is not that of the server. */
export const NO_CONFIGURATION =
  'there is no ostiary.config.json here, and no server has run here in try-out mode'

/**
 * Why try-out mode is refused. A deployment whose file is missing must not become a demo: the demo would add a user with
 * a printed password to the database of the deployment.
 * @returns A sentence; null if nothing looks like a deployment.
 */
export function tryOutRefusal(
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
    'write that file, or name yours with OSTIARY_CONFIG; `ostiary serve --try-out` starts the demo anyway'
  )
}

const isLoopback = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host)

const credentialsSchema = z.strictObject({
  secret: z.string().min(MIN_SECRET_LENGTH),
  password: z.string().min(8),
  /** Absent until a server that listened has printed the password. */
  password_shown: z.literal(true).optional(),
})
type Credentials = z.output<typeof credentialsSchema>

interface TryOutPlace {
  directory: string
  /** The folder that `file` is relative to. */
  cwd: string
  storage: StorageChoice
  /** OIDC_SECRET, which is used instead of the generated secret. */
  configured_secret: string | undefined
}

/**
 * The secret and the password that an earlier start stored in the folder, or new ones.
 * @throws ConfigError when the stored file cannot be used, or is missing although a database needs its secret.
 */
export async function openTryOut(place: TryOutPlace): Promise<TryOut & { secret: string }> {
  const { directory, cwd } = place
  const path = join(directory, 'try-out.json')
  const stored = await readCredentials(path)
  if (stored === null) requireNoDatabase(path, place)
  const credentials = stored ?? { secret: randomBytes(32).toString('base64url'), password: newPassword() }
  const { secret, password, password_shown } = credentials
  const relativePath = relative(cwd, path)
  return {
    secret,
    password,
    username: DEMO.username,
    first_start: password_shown !== true,
    stored: stored !== null,
    file: relativePath.startsWith('..') ? path : relativePath,
    async keep() {
      if (stored === null) await writeCredentials(path, credentials)
    },
    shown: () => writeCredentials(path, { ...credentials, password_shown: true }),
  }
}

/** Each start stores the secret before it makes the database: without the file, the keys in the database are lost. */
function requireNoDatabase(path: string, { storage, configured_secret }: TryOutPlace): void {
  if (storage.kind !== 'embedded' || configured_secret !== undefined) return
  if (!existsSync(join(storage.folder, 'PG_VERSION'))) return
  throw dataDirError(
    `${path} is missing, and with it the secret that encrypted the signing keys of the database in ${storage.folder}: ` +
      `put the file back, or delete the folder ${dirname(storage.folder)} to start again without its records`,
  )
}

/** The values by which doctor recognizes the records of try-out mode. */
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
    identity: {},
    mail: null,
    clients: [{ path: 'the demo client', metadata, client_secret: null }],
    // The server printed this password, so it must be the valid one.
    users: [{ path: 'the demo user', user, resets_password: true }],
  }
}

async function readCredentials(path: string): Promise<Credentials | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw dataDirError(`${path} cannot be read (${codeOf(error)})`)
  }
  const json = await parseJson(text)
  const result = 'value' in json ? credentialsSchema.safeParse(json.value) : null
  if (!result?.success)
    throw dataDirError(`${path} is damaged; delete the folder to start again without its records`)
  return result.data
}

/**
 * Readable by its owner only, and complete or absent, whenever the process is killed. New credentials do not replace those of
 * another server that starts at the same moment.
 */
async function writeCredentials(path: string, credentials: Credentials): Promise<void> {
  const part = `${path}.${process.pid}.part`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(part, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flush: true })
    await (credentials.password_shown ? rename(part, path) : linkOrRename(part, path))
  } catch (error) {
    throw dataDirError(`${path} cannot be written (${codeOf(error)})`)
  } finally {
    await rm(part, { force: true }).catch(() => {})
  }
}

/** File systems without hard links. */
const NO_LINKS = new Set<unknown>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** Unlike a rename, a link fails when there is a file of the name. */
async function linkOrRename(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error))) throw error
    await rename(from, to)
  }
}

const dataDirError = (message: string) => new ConfigError({ path: 'data_dir', source: 'DATA_DIR', message })

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : error)

/** 79 random bits, in lower-case letters and digits without 0, 1, i, l and o. */
export function newPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}
