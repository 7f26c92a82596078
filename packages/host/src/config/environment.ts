/**
 * Settings from environment variables. The name is `OSTIARY_` and the path of the key in upper case, its steps joined by
 * two underscores, so `oidc.tokens.access_token` is OSTIARY_OIDC__TOKENS__ACCESS_TOKEN. A list or a map is JSON. Some
 * settings have a short name too. An empty variable counts as unset.
 */

import { type ConfigFault, closest } from '@ostiary/core'
import { RETIRED_PATHS, retiredMessage } from './retired-keys.js'
import { type Leaf, leaves } from './schema-keys.js'

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Short names of variables, most of them usual for servers, and the key that each sets. */
export const SHORT_NAMES: Readonly<Record<string, string>> = {
  PORT: 'port',
  HOST: 'host',
  OIDC_ISSUER: 'oidc.issuer',
  OIDC_CLIENTS_REGISTRATION_ENABLED: 'oidc.clients.registration.enabled',
  OIDC_SECRET: 'secret',
  OIDC_SECRET_PREVIOUS: 'previous_secret',
  DATA_DIR: 'data_dir',
  DATABASE_URL: 'database_url',
  REDIS_URL: 'redis_url',
  LOG_FORMAT: 'server.log_format',
  OSTIARY_WORKERS: 'server.workers',
  OSTIARY_DRAIN_SECONDS: 'server.drain_seconds',
  OSTIARY_STOP_SECONDS: 'server.stop_seconds',
  OSTIARY_METRICS_PORT: 'server.metrics.port',
  OSTIARY_METRICS_HOST: 'server.metrics.host',
}

/** Not a setting: the path of the configuration file. */
export const CONFIG_VARIABLE = 'OSTIARY_CONFIG'
/** Not a setting: a server sets it for the worker processes that it starts. */
export const WORKER_VARIABLE = 'OSTIARY_WORKER'
const PREFIX = 'OSTIARY_'

/** A setting that a variable can give, with the names of the variable, a short one first. */
export interface Variable extends Leaf {
  names: string[]
}

let cached: Variable[] | undefined

export function variables(): Variable[] {
  cached ??= leaves()
    .filter(({ path }) => path !== '$schema')
    .map((leaf) => ({ ...leaf, names: [...shortNames(leaf.path), longName(leaf.path)] }))
  return cached
}

const shortNames = (path: string) => Object.keys(SHORT_NAMES).filter((name) => SHORT_NAMES[name] === path)
const longName = (path: string) => PREFIX + path.toUpperCase().replaceAll('.', '__')

/** The value that a variable gives to a key. */
export interface Setting {
  /** The path of the key. */
  path: string
  value: unknown
  /** The name of the variable. */
  variable: string
}

/** @param others Names that are no settings, but are read too, such as the one in a `client_secret_env`. */
export function readEnvironment(
  env: Environment,
  others: readonly string[] = [],
): { settings: Setting[]; faults: ConfigFault[] } {
  const settings: Setting[] = []
  const faults: ConfigFault[] = []
  for (const { names, path, kind } of variables()) {
    const [name, second] = names.filter((candidate) => setting(env, candidate) !== undefined)
    if (name === undefined) continue
    if (second !== undefined)
      faults.push({ path, source: second, message: `${name} sets the same key; keep one of the two` })
    const read = readValue(kind, setting(env, name) ?? '')
    if ('fault' in read) faults.push({ path, source: name, message: read.fault })
    else settings.push({ path, value: read.value, variable: name })
  }
  return { settings, faults: [...faults, ...unknownNames(env, others)] }
}

/** A fault never shows the text of a value that may be a secret. */
function readValue(kind: Leaf['kind'], text: string): { value: unknown } | { fault: string } {
  // The schema reports a text that is not a number, and says what it accepts.
  if (kind === 'number') return { value: /^-?\d+$/.test(text) ? Number(text) : text }
  if (kind === 'text') return { value: text }
  if (kind === 'boolean') {
    if (/^(?:true|1|false|0)$/.test(text)) return { value: text === 'true' || text === '1' }
    return { fault: `${JSON.stringify(text)} is neither true nor false` }
  }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { fault: 'give JSON: a list such as ["a","b"], or a map such as {"a":{}}' }
  }
}

/** A variable with a misspelled name would silently have no effect. */
function unknownNames(env: Environment, others: readonly string[]): ConfigFault[] {
  const names = variables().flatMap((variable) => variable.names)
  const known = new Set([...names, CONFIG_VARIABLE, WORKER_VARIABLE, ...others])
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !known.has(name) && setting(env, name) !== undefined)
    .map((name) => ({ path: '', source: name, message: unknownNameFault(name, names) }))
}

function unknownNameFault(name: string, names: readonly string[]): string {
  const retired = RETIRED_PATHS.find((path) => longName(path) === name)
  const message = retired === undefined ? null : retiredMessage(retired)
  if (message !== null) return message
  const member = names.find((candidate) => candidate.startsWith(`${name}__`))
  if (member !== undefined) return `this is a group; set one of its keys, such as ${member}`
  const suggestion = closest(name, [...names, CONFIG_VARIABLE])
  const fault = 'there is no such setting'
  return suggestion === null ? fault : `${fault}; did you mean ${suggestion}?`
}

/** The value of a variable; undefined when it is unset or empty. */
export const setting = (env: Environment, name: string): string | undefined => env[name] || undefined
