/**
 * Reads the configuration of a server. Precedence, highest first:
 *
 * 1. the environment: `OIDC_ISSUER` or `OSTIARY_OIDC__ISSUER` over `oidc.issuer`; an empty variable counts as unset;
 * 2. the file, `OSTIARY_CONFIG` or ./ostiary.config.json; `oidc.realms.<id>` over the other `oidc` keys, realm by realm;
 * 3. the defaults: core's for `oidc`, and `app.url` for the issuer.
 *
 * A list or a map (`clients`, `resources`, …) replaces the other one as a whole. Without a file, and without a variable
 * that sets clients, users, realms or `oidc`, the server runs in try-out mode, unless the environment looks like a
 * deployment whose file is missing.
 */

import { resolve } from 'node:path'
import { ConfigError, type ConfigFault, configFaults, type OidcConfig, readBy } from '@ostiary/core'
import type { Theme } from '@ostiary/identity'
import type * as z from 'zod'
import { given } from '../values/given.js'
import { readAdmin } from './admin/read-admin.js'
import { auditSettings } from './audit/audit-settings.js'
import { readSinks } from './audit/read-sinks.js'
import { privateHost } from './backchannel-settings.js'
import { checkConfig } from './check-config.js'
import { addClient, DEFAULT_REALM, readEntries } from './entries.js'
import { type Environment, type Setting, SHORT_NAMES } from './environment.js'
import { type ConfigFile, fileSchema } from './file-schema.js'
import type { HostConfig, UncheckedConfig } from './host-config.js'
import { readLanguages } from './languages.js'
import { readOptional, turnedOn } from './realms/optional-settings.js'
import { runTimeFaults } from './realms/run-time.js'
import { serverFaults, serverSettings } from './server-settings.js'
import { type ConfigSources, folderOf, readSources, unreadEnvFile } from './sources.js'
import { embeddedFolder, type StorageChoice, storageChoice } from './storage-choice.js'
import { withMeantKey } from './suggestions.js'
import { demoEntries, openTryOut, tryOutRefusal } from './try-out.js'

/** Options of `readConfig`. */
export interface ReadOptions {
  /** Allows try-out mode even where the environment looks like a deployment. */
  try_out?: boolean
  /** False: the variables of `client_secret_env`, `password_env` and `smtp_url_env` are not read. For a command that stores no entry. */
  entry_secrets?: boolean
}

/**
 * Reads and checks the whole configuration, so that a server that starts has no fault left to report.
 * @param cwd The folder that relative paths start from.
 * @throws ConfigError with every fault, each with the path of its key or the name of its variable.
 */
export async function readConfig(
  env: Environment,
  cwd: string,
  { try_out = false, entry_secrets = true }: ReadOptions = {},
): Promise<HostConfig> {
  const sources = await readSources(env, cwd)
  const config = sources.unreadable ? null : checkShape(sources)
  if (config === null) throw configError(sources)
  if (sources.file === null && !sources.settings.some(isProvision)) {
    const refusal = try_out ? null : tryOutRefusal(config, { env, cwd })
    if (refusal !== null) sources.faults.push({ path: '', message: refusal })
    return tryOutConfig(config, { sources, env, cwd })
  }
  return deploymentConfig(config, { sources, env, cwd, try_out, entry_secrets })
}

/**
 * Reads only where the records are stored: faults of other keys do not matter to the caller.
 * @throws ConfigError when the file cannot be read, or the URL or a setting of the database is not valid.
 */
export async function readStorageChoice(env: Environment, cwd: string): Promise<StorageChoice> {
  const sources = await readSources(env, cwd)
  const config = sources.unreadable ? null : checkShape(sources)
  if (config === null) throw configError(sources)
  const faults = sources.faults.filter(({ path }) => /^database(?:_url$|\.)/.test(path))
  if (faults.length > 0) throw configError({ ...sources, faults })
  return storageChoice(config, { cwd, try_out: false })
}

/** The folder of the embedded database that the server uses without DATABASE_URL. @throws ConfigError as above. */
export async function readEmbeddedFolder(env: Environment, cwd: string): Promise<string> {
  const sources = await readSources(env, cwd)
  const config = sources.unreadable ? null : checkShape(sources)
  if (config === null) throw configError(sources)
  return embeddedFolder(config, { cwd, try_out: false }).folder
}

/** Whether a variable, by its long name, configures a deployment; the short names are used in try-out mode too. */
const isProvision = ({ path, variable }: Setting): boolean =>
  /^(?:app|clients|users|realms|oidc)\b/.test(path) && !(variable in SHORT_NAMES)

interface Deployment extends Required<ReadOptions> {
  sources: ConfigSources
  env: Environment
  cwd: string
}

/** The configuration of a file, of variables, or of both. */
async function deploymentConfig(
  config: ConfigFile,
  { sources, env, cwd, try_out, entry_secrets }: Deployment,
): Promise<HostConfig> {
  const { file, faults } = sources
  if (try_out)
    faults.push({
      path: '',
      source: '--try-out',
      message: `there is a configuration (${file ?? 'variables'}): start without --try-out`,
    })
  if (config.secret === undefined && !hasFault(faults, 'secret'))
    faults.push({
      path: 'secret',
      source: 'OIDC_SECRET',
      message: `set this variable to at least 32 random characters, and keep them${await unreadEnvFile('OIDC_SECRET', cwd)}`,
    })
  if (config.previous_secret !== undefined && config.previous_secret === config.secret)
    faults.push({ path: 'previous_secret', message: 'it is the same as OIDC_SECRET: unset it' })
  const realms = readEntries(config, { env, faults, entry_secrets })
  const storage = storageChoice(config, { cwd, try_out: false })
  const languages = await readLanguages(config.languages, { config_file: file, cwd })
  faults.push(...(languages?.faults ?? []))
  const optional = await readOptional(config, { folder: folderOf(file, cwd), env, faults, entry_secrets })
  const { oidc = config.oidc, ...admin } = (await readAdmin(config, { realms, faults, addClient })) ?? {}
  const unchecked = compose(
    { ...config, oidc },
    {
      file,
      realms,
      storage,
      ...optional,
      ...admin,
      ...(languages && { languages: languages.options }),
    },
  )
  faults.push(...combinationFaults(config, unchecked, { try_out: false }))
  const checked = await checkConfig(unchecked)
  faults.push(...checked.faults.map(issuerKey(config)))
  if (faults.length > 0) throw configError(sources)
  return { ...unchecked, issuer: checked.issuer }
}

/** Without a file: a demo user, a demo client, and the settings of the environment. */
async function tryOutConfig(
  config: ConfigFile,
  { sources, env, cwd }: { sources: ConfigSources; env: Environment; cwd: string },
): Promise<HostConfig> {
  const { faults } = sources
  const oidc: OidcConfig = { issuer: `http://localhost:${config.port}`, ...config.oidc }
  const storage = storageChoice(config, { cwd, try_out: true })
  const audit_sinks = await readSinks(config, { env, faults: sources.faults, entry_secrets: true })
  await readAdmin({ ...config, oidc }, { realms: {}, faults, addClient })
  const languages = await readLanguages(config.languages, { config_file: null, cwd })
  faults.push(...(languages?.faults ?? []))
  const common = {
    ...compose(config, {
      file: null,
      realms: {},
      storage,
      ...turnedOn({ audit_sinks }),
      ...(languages && { languages: languages.options }),
    }),
    oidc,
    theme: { name: 'Ostiary' },
  }
  faults.push(...combinationFaults(config, common, { try_out: true }))
  const { issuer, ...checked } = await checkConfig(common)
  faults.push(...checked.faults)
  if (faults.length > 0) throw configError(sources)
  const { secret, ...try_out } = await openTryOut({
    directory: resolve(cwd, config.data_dir),
    cwd,
    storage,
    configured_secret: config.secret,
  })
  const realms = { [DEFAULT_REALM]: demoEntries(issuer, try_out) }
  return { ...common, issuer, secret: config.secret ?? secret, realms, try_out }
}

/** Faults of settings that are valid alone, but not together. */
function combinationFaults(
  { database_url, database }: ConfigFile,
  { server, storage, port, admin_listen, oidc, realms_at_run_time }: UncheckedConfig,
  { try_out }: { try_out: boolean },
): ConfigFault[] {
  const faults = serverFaults(server, {
    storage: storage.kind,
    port,
    admin_port: admin_listen?.port,
    try_out,
  })
  faults.push(...runTimeFaults({ oidc, storage, ...given({ realms_at_run_time }) }))
  if (storage.kind === 'memory' && database_url !== undefined)
    faults.push({ path: 'storage', message: 'DATABASE_URL names a database too; unset one of the two' })
  if (database.shards > 1 && !database.sharded)
    faults.push({
      path: 'database.shards',
      message:
        'a database of several PostgreSQL needs database.sharded: set it to true, or leave database.shards at 1',
    })
  return faults
}

/** Each fault with the key that was probably meant, and the name of the variable that its value came from. */
const configError = ({ faults, settings }: ConfigSources): ConfigError =>
  new ConfigError(faults.map((fault) => withVariable(withMeantKey(fault), settings)))

function withVariable(fault: ConfigFault, settings: readonly Setting[]): ConfigFault {
  if (fault.source !== undefined) return fault
  const setting = settings.find(({ path }) => fault.path === path || fault.path.startsWith(`${path}.`))
  if (setting === undefined) return fault
  return { ...fault, source: setting.variable + fault.path.slice(setting.path.length) }
}

const hasFault = (faults: readonly ConfigFault[], key: string): boolean =>
  faults.some(({ path }) => path === key)

/** The keys that have the right shape; null when no others can be checked. Adds the faults to those of the sources. */
function checkShape({ keys, faults }: ConfigSources): ConfigFile | null {
  const result = readBy(fileSchema, keys)
  if (!result.success) faults.push(...configFaults(result.error, ''))
  const config = result.success ? result.data : withoutFaults(keys, result.error.issues)
  if (config === null) return null
  const { redis_url, database_url, sessions } = config
  if (redis_url !== undefined && database_url === undefined && !hasFault(faults, 'database_url'))
    faults.push({
      path: 'redis_url',
      message: 'users and clients need DATABASE_URL: set it too, or unset this one',
    })
  if (sessions === 'redis' && redis_url === undefined && !hasFault(faults, 'redis_url'))
    faults.push({
      path: 'sessions',
      message: 'redis needs REDIS_URL: set it too, or leave the sessions in the database',
    })
  return config
}

/** The configuration without its faulty keys, so that the others can still be checked. */
function withoutFaults(
  keys: Record<string, unknown>,
  issues: readonly z.core.$ZodIssue[],
): ConfigFile | null {
  const copy = structuredClone(keys)
  for (const { path, ...issue } of issues) {
    // The parts of a theme do not depend on each other.
    const is_part = path[0] === 'theme' && path.length > 1
    const holder = (is_part ? copy.theme : copy) as typeof copy
    const removed = String(path[is_part ? 1 : 0])
    // An earlier fault has already removed the whole group.
    if (path.length > 0 && !(removed in holder)) continue
    const parent = path.slice(0, -1).reduce<unknown>((at, key) => (at as typeof copy)[String(key)], copy)
    const last = path.at(-1)
    const group = (last === undefined ? copy : (parent as typeof copy)[String(last)]) as typeof copy
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) delete group[key]
    else delete holder[removed]
  }
  return fileSchema.safeParse(copy).data ?? null
}

function compose(
  config: ConfigFile,
  rest: Pick<HostConfig, 'file' | 'realms' | 'storage' | 'languages'>,
): UncheckedConfig {
  const { port, host, secret = '', oidc, app, theme, account, log, login, trusted_proxies, server } = config
  const { previous_secret, backchannel } = config
  const audit = auditSettings(config.audit)
  const realms_at_run_time = config.realms_at_run_time || undefined
  return {
    ...rest,
    port,
    host,
    secret,
    oidc: oidc as OidcConfig,
    ...given({
      previous_secret,
      app_url: app.url,
      theme: theme as Theme | undefined,
      audit,
      realms_at_run_time,
    }),
    log,
    login,
    account,
    trusted_proxies,
    backchannel: { private_hosts: backchannel.private_hosts.flatMap((entry) => privateHost(entry) ?? []) },
    server: serverSettings(server, trusted_proxies),
    try_out: null,
  }
}

/** Core reports `oidc.issuer` also for an issuer that came from `app.url`. */
const issuerKey =
  ({ oidc, app }: ConfigFile) =>
  (fault: ConfigFault): ConfigFault =>
    fault.path === 'oidc.issuer' && oidc.issuer === undefined && app.url !== undefined
      ? { ...fault, path: 'app.url' }
      : fault
