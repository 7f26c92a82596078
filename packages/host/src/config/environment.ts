/**
 * Settings from environment variables. The rule: `OSTIARY_` and the path of the key in upper case, its steps joined by two
 * underscores, so `oidc.tokens.access_token` is OSTIARY_OIDC__TOKENS__ACCESS_TOKEN. A list or a map is JSON. Some have
 * a short name too. An empty variable counts as unset.
 */

import { type Leaf, leaves } from './schema-keys.js'
import { closest } from './suggestions.js'

/** The variables as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Names that people expect, and the setting that each stands for. */
export const SHORT_NAMES: Readonly<Record<string, string>> = {
  PORT: 'port',
  HOST: 'host',
  OIDC_ISSUER: 'oidc.issuer',
  OIDC_CLIENTS_REGISTRATION_ENABLED: 'oidc.clients.registration.enabled',
  OIDC_SECRET: 'secret',
  DATA_DIR: 'data_dir',
  DATABASE_URL: 'database_url',
  REDIS_URL: 'redis_url',
  OSTIARY_WORKERS: 'server.workers',
  OSTIARY_DRAIN_SECONDS: 'server.drain_seconds',
  OSTIARY_STOP_SECONDS: 'server.stop_seconds',
  OSTIARY_METRICS_PORT: 'server.metrics.port',
  OSTIARY_METRICS_HOST: 'server.metrics.host',
}

/** No setting: where the others are. */
export const CONFIG_VARIABLE = 'OSTIARY_CONFIG'
/** No setting either: a server gives it to the processes that it starts. */
export const WORKER_VARIABLE = 'OSTIARY_WORKER'
const PREFIX = 'OSTIARY_'

/** Every setting that a variable can give, with its names, a short one first. */
export interface Variable extends Leaf {
  names: string[]
}

let known: Variable[] | undefined

export function variables(): Variable[] {
  known ??= leaves()
    .filter(({ path }) => path !== '$schema')
    .map((leaf) => ({ ...leaf, names: [...shortNames(leaf.path), longName(leaf.path)] }))
  return known
}

const shortNames = (path: string) => Object.keys(SHORT_NAMES).filter((name) => SHORT_NAMES[name] === path)
const longName = (path: string) => PREFIX + path.toUpperCase().replaceAll('.', '__')

export interface Setting {
  path: string
  value: unknown
  /** Where the value came from. */
  variable: string
}

/** @param others Names that something else reads, such as a `client_secret_env`. */
export function readEnvironment(
  env: Environment,
  others: readonly string[] = [],
): { settings: Setting[]; faults: string[] } {
  const settings: Setting[] = []
  const faults: string[] = []
  for (const { names, path, kind } of variables()) {
    const [name, second] = names.filter((candidate) => setting(env, candidate) !== undefined)
    if (name === undefined) continue
    if (second !== undefined) faults.push(`${second}: ${name} says the same; keep one of the two`)
    const read = readValue(kind, setting(env, name) ?? '')
    if ('fault' in read) faults.push(`${name}: ${read.fault}`)
    else settings.push({ path, value: read.value, variable: name })
  }
  return { settings, faults: [...faults, ...unknownNames(env, others)] }
}

/** The text of what may be a secret is never shown. */
function readValue(kind: Leaf['kind'], given: string): { value: unknown } | { fault: string } {
  // Words are left to the schema, which says what it wants instead.
  if (kind === 'number') return { value: /^-?\d+$/.test(given) ? Number(given) : given }
  if (kind === 'text') return { value: given }
  if (kind === 'yes or no') {
    if (/^(?:true|1|false|0)$/.test(given)) return { value: given === 'true' || given === '1' }
    return { fault: `${JSON.stringify(given)} is neither true nor false` }
  }
  try {
    return { value: JSON.parse(given) }
  } catch {
    return { fault: 'give JSON: a list such as ["a","b"], or a map such as {"a":{}}' }
  }
}

/** A misspelt name would be a setting that silently does nothing. */
function unknownNames(env: Environment, others: readonly string[]): string[] {
  const names = variables().flatMap((variable) => variable.names)
  const right = new Set([...names, CONFIG_VARIABLE, WORKER_VARIABLE, ...others])
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !right.has(name) && setting(env, name) !== undefined)
    .map((name) => {
      const member = names.find((candidate) => candidate.startsWith(`${name}__`))
      if (member !== undefined) return `${name}: this is a group; set one of its keys, such as ${member}`
      const meant = closest(name, [...names, CONFIG_VARIABLE])
      return `${name}: there is no such setting${meant === null ? '' : `; did you mean ${meant}?`}`
    })
}

/** The value of a variable; undefined when it is unset or empty. */
export const setting = (env: Environment, name: string): string | undefined => env[name] || undefined
