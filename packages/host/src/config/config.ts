/**
 * The configuration of a server. What wins, strongest first:
 *
 * 1. the environment: `OIDC_ISSUER` or `OSTIARY_OIDC__ISSUER` over `oidc.issuer`; an empty variable counts as unset;
 * 2. the file, `OSTIARY_CONFIG` or ./ostiary.config.json; `oidc.realms.<id>` over the other `oidc` keys, realm by realm;
 * 3. the defaults: core's for `oidc`, and `app.url` for the issuer.
 *
 * Lists and maps (`clients`, `resources`, …) are taken whole, never merged. With neither a file nor a variable that says
 * what to provide, it is try-out mode; not where that looks like a deployment whose file is missing.
 */

import { resolve } from 'node:path'
import { ConfigError, describeConfigFaults, type OidcConfig } from '@ostiary/core'
import type { Limits, Theme } from '@ostiary/identity'
import type * as z from 'zod'
import { checkConfig, type Unchecked } from './check-config.js'
import { DEFAULT_REALM, type RealmEntries, readEntries } from './entries.js'
import { type Environment, type Setting, SHORT_NAMES } from './environment.js'
import { type ConfigFile, fileSchema } from './file-schema.js'
import { keysAt } from './schema-keys.js'
import { type ServerSettings, serverFaults, serverSettings } from './server-settings.js'
import { type Given, readGiven } from './sources.js'
import { type StorageChoice, storageChoice } from './storage-choice.js'
import { withSuggestions } from './suggestions.js'
import { demoEntries, openTryOut, type TryOut, whyNoTryOut } from './try-out.js'

/** The configuration of a server, read and checked. Times are in seconds where the name does not say otherwise. */
export interface HostConfig {
  port: number
  /** The address to listen on. */
  host: string
  /** Seals the signing keys and signs forms. */
  secret: string
  /** The origin of all URLs, whichever setting it came from. */
  issuer: string
  oidc: OidcConfig
  /** Stands in for `oidc.issuer`. */
  app_url?: string
  /** Clients and users, by realm id. */
  realms: Record<string, RealmEntries>
  theme?: Theme
  /** False: there is no account page. */
  account?: boolean
  /** How often signing in may fail; identity's defaults when absent. */
  login?: Limits
  /** IP addresses and CIDR ranges whose `X-Forwarded-For` counts. */
  trusted_proxies: string[]
  server: ServerSettings
  /** Where the records are. */
  storage: StorageChoice
  /** The file that it came from. */
  file: string | null
  /** Set when there is no configuration file. */
  try_out: TryOut | null
}

/** What `readConfig` takes besides where to look. */
export interface ReadOptions {
  /** Try-out mode is asked for: it is allowed wherever there is no configuration. */
  try_out?: boolean
}

/**
 * Reads and checks everything, so that a server that starts has nothing left to complain about.
 * @param cwd Where relative paths start.
 * @throws ConfigError with all faults, one a line, each with the path of its key or the name of its variable.
 */
export async function readConfig(
  env: Environment,
  cwd: string,
  { try_out = false }: ReadOptions = {},
): Promise<HostConfig> {
  const given = await readGiven(env, cwd)
  const { file, settings, faults } = given
  if (given.unreadable) throw failure(given)
  const config = readFile(given)
  if (config === null) throw failure(given)
  if (file === null && !settings.some(isProvision)) {
    const refusal = try_out ? null : whyNoTryOut(config, { env, cwd })
    if (refusal !== null) faults.push(refusal)
    return tryOutConfig(config, { given, cwd })
  }

  if (try_out)
    faults.push(`--try-out: there is a configuration (${file ?? 'variables'}): start without --try-out`)
  if (config.secret === undefined && !faults.some((fault) => /^(secret|OIDC_SECRET):/.test(fault)))
    faults.push('OIDC_SECRET: set this variable to at least 32 random characters, and keep them')
  const realms = readEntries(config, env, faults)
  const storage = storageChoice(config, { cwd, try_out: false })
  const unchecked = compose(config, { file, realms, storage })
  faults.push(...processFaults(config, unchecked, { try_out: false }))
  const checked = await checkConfig(unchecked)
  faults.push(...checked.faults.map(issuerSource(config)))
  if (faults.length > 0) throw failure(given)
  return { ...unchecked, issuer: checked.issuer }
}

/**
 * Where the records are, for who needs to know nothing else: other faults do not matter there.
 * @throws ConfigError when the file cannot be read, or the database's URL is none.
 */
export async function readStorageChoice(env: Environment, cwd: string): Promise<StorageChoice> {
  const given = await readGiven(env, cwd)
  const config = given.unreadable ? null : readFile(given)
  if (config === null) throw failure(given)
  const lines = given.faults.flatMap((fault) => fault.split('\n'))
  const faults = lines.filter((fault) => /^(?:OSTIARY_)?database_url:/i.test(fault))
  if (faults.length > 0) throw failure({ ...given, faults })
  return storageChoice(config, { cwd, try_out: false })
}

/** Whoever says what to provide, by the full name of a variable, is not trying out. */
const isProvision = ({ path, variable }: Setting): boolean =>
  /^(?:app|clients|users|realms|oidc)\b/.test(path) && !(variable in SHORT_NAMES)

/** Without a file: a demo user, a demo client, and what the environment says. */
async function tryOutConfig(
  config: ConfigFile,
  { given, cwd }: { given: Given; cwd: string },
): Promise<HostConfig> {
  const { faults } = given
  const oidc: OidcConfig = { issuer: `http://localhost:${config.port}`, ...config.oidc }
  const storage = storageChoice(config, { cwd, try_out: true })
  const rest = { file: null, realms: {}, storage }
  const common = { ...compose(config, rest), oidc, theme: { name: 'Ostiary' } }
  faults.push(...processFaults(config, common, { try_out: true }))
  const { issuer, ...checked } = await checkConfig(common)
  faults.push(...checked.faults)
  if (faults.length > 0) throw failure(given)
  const { secret, ...try_out } = await openTryOut(resolve(cwd, config.data_dir), cwd)
  const realms = { [DEFAULT_REALM]: demoEntries(issuer, try_out) }
  return { ...common, issuer, secret: config.secret ?? secret, realms, try_out }
}

/** What does not go together. */
function processFaults(
  { database_url }: ConfigFile,
  { server, storage, port }: Unchecked,
  { try_out }: { try_out: boolean },
): string[] {
  const faults = serverFaults(server, { storage: storage.kind, port, try_out })
  if (storage.kind === 'memory' && database_url !== undefined)
    faults.push('storage: DATABASE_URL names a database too; unset one of the two')
  return faults
}

/** Each fault with the key that was probably meant, under the name of the variable that it came from. */
function failure({ faults, settings }: Given): ConfigError {
  const lines = faults.flatMap((fault) => fault.split('\n'))
  return new ConfigError(withSuggestions(lines, keysAt).map(named(settings)).join('\n'))
}

const named = (settings: readonly Setting[]) => (fault: string) => {
  const source = settings.find(({ path }) => /^[.:]/.test(fault.slice(path.length)) && fault.startsWith(path))
  return source === undefined ? fault : `${source.variable}${fault.slice(source.path.length)}`
}

/** The checked keys; null when nothing can be said about the rest. Faults are added to those of `given`. */
function readFile({ keys, faults }: Given): ConfigFile | null {
  const result = fileSchema.safeParse(keys)
  if (!result.success) faults.push(describeConfigFaults(result.error, ''))
  const config = result.success ? result.data : withoutFaults(keys, result.error.issues)
  if (
    config?.redis_url !== undefined &&
    config.database_url === undefined &&
    !/^database_url:/m.test(faults.join('\n'))
  )
    faults.push('redis_url: users and clients need DATABASE_URL: set it too, or unset this one')
  if (
    config?.sessions === 'redis' &&
    config.redis_url === undefined &&
    !/^redis_url:/m.test(faults.join('\n'))
  )
    faults.push('sessions: redis needs REDIS_URL: set it too, or leave the sessions in the database')
  return config
}

/** The rest of a faulty file, to look for more faults in it. */
function withoutFaults(
  file: Record<string, unknown>,
  issues: readonly z.core.$ZodIssue[],
): ConfigFile | null {
  const copy = structuredClone(file)
  for (const { path, ...issue } of issues) {
    // A fault before this one has taken the whole group away.
    if (path.length > 0 && !(String(path[0]) in copy)) continue
    const parent = path.slice(0, -1).reduce<unknown>((at, key) => (at as typeof copy)[String(key)], copy)
    const last = path.at(-1)
    const group = (last === undefined ? copy : (parent as typeof copy)[String(last)]) as typeof copy
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) delete group[key]
    else delete copy[String(path[0])]
  }
  return fileSchema.safeParse(copy).data ?? null
}

function compose(config: ConfigFile, rest: Pick<HostConfig, 'file' | 'realms' | 'storage'>): Unchecked {
  const { port, host, secret = '', oidc, app, theme, account, login, trusted_proxies, server } = config
  return {
    ...rest,
    port,
    host,
    secret,
    oidc: oidc as OidcConfig,
    ...(app.url !== undefined && { app_url: app.url }),
    ...(theme && { theme: theme as Theme }),
    login,
    account,
    trusted_proxies,
    server: serverSettings(server),
    try_out: null,
  }
}

/** Core knows the issuer by one name; the fault is where the value came from. */
const issuerSource =
  ({ oidc, app }: ConfigFile) =>
  (fault: string): string =>
    oidc.issuer === undefined && app.url !== undefined ? fault.replace(/^oidc\.issuer:/, 'app.url:') : fault
