/**
 * The configuration of a server. What wins, strongest first:
 *
 * 1. the environment: `OIDC_ISSUER` over `oidc.issuer`, `OIDC_CLIENTS_REGISTRATION_ENABLED` over
 *    `oidc.clients.registration.enabled`; an empty variable counts as unset;
 * 2. the file, `OSTIARY_CONFIG` or ./ostiary.config.json; `oidc.realms.<id>` over the other `oidc` keys, realm by realm;
 * 3. the defaults: core's for `oidc`, and `app.url` for the issuer.
 *
 * Lists and maps (`clients`, `resources`, …) are taken whole, never merged. Without a file it is try-out mode.
 */

import { readFile } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { ConfigError, describeConfigFaults, type OidcConfig } from '@ostiary/core'
import type { Theme } from '@ostiary/identity'
import type * as z from 'zod'
import { checkConfig, oidcKeyFinder, type Unchecked } from './check.js'
import { DEFAULT_REALM, type RealmEntries, readEntries } from './entries.js'
import { type Environment, readEnvironment, type Variables } from './environment.js'
import { type ConfigFile, fileKeys, fileSchema } from './file-schema.js'
import { parseJson } from './json.js'
import { type ServerSettings, serverFaults, serverSettings } from './server-settings.js'
import { type StorageChoice, storageChoice } from './storage-choice.js'
import { withSuggestions } from './suggestions.js'
import { demoEntries, openTryOut, type TryOut } from './try-out.js'

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

const DEFAULT_FILE = 'ostiary.config.json'

/**
 * Reads and checks everything, so that a server that starts has nothing left to complain about.
 * @param cwd Where relative paths start.
 * @throws ConfigError with all faults, one a line, each with the path of its key or the name of its variable.
 */
export async function readConfig(env: Environment, cwd: string): Promise<HostConfig> {
  const { variables, faults } = readEnvironment(env)
  const found = await findFile(variables.OSTIARY_CONFIG, cwd)
  if ('fault' in found) throw new ConfigError([...faults, found.fault].join('\n'))
  if (found.text === null) return tryOutConfig(variables, { cwd, faults })

  const file = parseFile(found.path, found.text, faults)
  if (file === null) throw await failure(faults)
  if (variables.OIDC_SECRET === undefined && !faults.some((fault) => fault.startsWith('OIDC_SECRET:')))
    faults.push('OIDC_SECRET: set this variable to at least 32 random characters, and keep them')
  const realms = readEntries(file, env, faults)
  const storage = chooseStorage(variables, { cwd, named: file.storage, faults })
  const config = compose(file, variables, { file: found.path, realms, storage })
  faults.push(...processFaults(config, variables))
  const checked = await checkConfig(config)
  faults.push(...checked.faults.map(issuerSource(file, variables)))
  if (faults.length > 0) throw await failure(faults)
  return { ...config, issuer: checked.issuer }
}

/** Without a file: a demo user, a demo client, and what the environment says. */
async function tryOutConfig(
  variables: Variables,
  { cwd, faults }: { cwd: string; faults: string[] },
): Promise<HostConfig> {
  const { PORT, HOST, OIDC_SECRET } = variables
  const oidc = withVariables({ issuer: `http://localhost:${PORT}` }, variables)
  const storage = chooseStorage(variables, { cwd, faults })
  const settings = { port: PORT, host: HOST, oidc, storage, server: serverSettings({}, variables) }
  const common = { ...settings, theme: { name: 'Ostiary' }, trusted_proxies: [], file: null }
  faults.push(...processFaults(settings, variables, true))
  const { issuer, ...checked } = await checkConfig({ ...common, secret: '', realms: {}, try_out: null })
  faults.push(...checked.faults.map((fault) => fault.replace(/^oidc\.issuer:/, 'OIDC_ISSUER:')))
  if (faults.length > 0) throw await failure(faults)
  const { secret, ...try_out } = await openTryOut(resolve(cwd, variables.DATA_DIR), cwd)
  const realms = { [DEFAULT_REALM]: demoEntries(issuer, try_out) }
  return { ...common, issuer, secret: OIDC_SECRET ?? secret, realms, try_out }
}

/** `named`: as the file says; undefined in try-out mode too. */
function chooseStorage(
  variables: Variables,
  { cwd, faults, ...file }: { cwd: string; faults: string[]; named?: 'database' | 'memory' | undefined },
): StorageChoice {
  const memory = (variables.OSTIARY_STORAGE ?? file.named) === 'memory'
  if (memory && variables.DATABASE_URL !== undefined) {
    const key = variables.OSTIARY_STORAGE === undefined ? 'storage' : 'OSTIARY_STORAGE'
    faults.push(`${key}: DATABASE_URL names a database too; unset one of the two`)
  }
  return storageChoice(variables, { cwd, try_out: !('named' in file), memory })
}

const processFaults = (
  { server, storage, port }: Pick<HostConfig, 'server' | 'storage' | 'port'>,
  variables: Variables,
  try_out = false,
) => serverFaults(server, { variables, storage: storage.kind, port, try_out })

async function failure(faults: readonly string[]): Promise<ConfigError> {
  const lines = faults.flatMap((fault) => fault.split('\n'))
  const oidcKeys = await oidcKeyFinder()
  const keysAt = (path: string) => (/^oidc(?:\.|$)/.test(path) ? oidcKeys(path) : fileKeys(path))
  return new ConfigError(withSuggestions(lines, keysAt).join('\n'))
}

type Found = { path: string; text: string } | { path: null; text: null } | { fault: string }

async function findFile(named: string | undefined, cwd: string): Promise<Found> {
  const path = resolve(cwd, named ?? DEFAULT_FILE)
  try {
    return { path, text: await readFile(path, 'utf8') }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    if (named === undefined && code === 'ENOENT') return { path: null, text: null }
    const from = named === undefined ? DEFAULT_FILE : `OSTIARY_CONFIG: ${named}`
    const shown = named === undefined || isAbsolute(named) ? from : `${from} (${path})`
    return { fault: `${shown} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}` }
  }
}

function parseFile(path: string, text: string, faults: string[]): ConfigFile | null {
  const json = parseJson(text)
  if (!('value' in json)) {
    faults.push(
      `${path}:${json.line}:${json.column} is not JSON: look for a missing or trailing comma, a missing quote, or a comment`,
    )
    return null
  }
  const result = fileSchema.safeParse(json.value)
  if (result.success) return result.data
  const top = typeof json.value !== 'object' || json.value === null || Array.isArray(json.value)
  faults.push(top ? `${path}: give a JSON object` : describeConfigFaults(result.error, ''))
  return top ? null : withoutFaults(json.value as Record<string, unknown>, result.error.issues)
}

/** The rest of a faulty file, to look for more faults in it. */
function withoutFaults(
  file: Record<string, unknown>,
  issues: readonly z.core.$ZodIssue[],
): ConfigFile | null {
  const copy = structuredClone(file)
  for (const { path, ...issue } of issues) {
    const parent = path.slice(0, -1).reduce<unknown>((at, key) => (at as typeof copy)[String(key)], copy)
    const last = path.at(-1)
    const group = (last === undefined ? copy : (parent as typeof copy)[String(last)]) as typeof copy
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) delete group[key]
    else delete copy[String(path[0])]
  }
  return fileSchema.safeParse(copy).data ?? null
}

function compose(
  file: ConfigFile,
  variables: Variables,
  rest: Pick<HostConfig, 'file' | 'realms' | 'storage'>,
): Unchecked {
  const { theme } = file
  return {
    ...rest,
    port: variables.PORT,
    host: variables.HOST,
    secret: variables.OIDC_SECRET ?? '',
    oidc: withVariables(file.oidc as OidcConfig, variables),
    ...(file.app.url !== undefined && { app_url: file.app.url }),
    ...(theme && { theme: theme as Theme }),
    trusted_proxies: file.trusted_proxies,
    server: serverSettings(file.server, variables),
    try_out: null,
  }
}

/** A wrong shape is left as it is, for core to complain about. */
function withVariables(oidc: OidcConfig, variables: Variables): OidcConfig {
  const { OIDC_ISSUER: issuer, OIDC_CLIENTS_REGISTRATION_ENABLED: enabled } = variables
  const changed: OidcConfig = issuer === undefined ? { ...oidc } : { ...oidc, issuer }
  if (enabled === undefined) return changed
  const { clients = {} } = changed
  const { registration = {} } = clients
  if (!isGroup(clients) || !isGroup(registration)) return changed
  return { ...changed, clients: { ...clients, registration: { ...registration, enabled } } }
}

const isGroup = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Core knows the issuer by one name; the fault is where the value came from. */
function issuerSource(file: ConfigFile, { OIDC_ISSUER }: Variables): (fault: string) => string {
  if (OIDC_ISSUER !== undefined) return (fault) => fault.replace(/^oidc\.issuer:/, 'OIDC_ISSUER:')
  if (file.oidc.issuer === undefined && file.app.url !== undefined)
    return (fault) => fault.replace(/^oidc\.issuer:/, 'app.url:')
  return (fault) => fault
}
