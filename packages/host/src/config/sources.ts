/** What file and environment say together, before it is checked. */

import { readFile } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { CONFIG_VARIABLE, type Environment, readEnvironment, type Setting, setting } from './environment.js'
import { parseJson } from './json.js'

type Keys = Record<string, unknown>

export interface Given {
  /** The file; null when there is none. */
  file: string | null
  /** The file's keys, with the variables' values over them. */
  keys: Keys
  /** The variables that count. */
  settings: Setting[]
  faults: string[]
}

/** In the working directory. */
export const DEFAULT_FILE = 'ostiary.config.json'

/** @returns `unreadable` when there is a file, but nothing can be said about its keys. */
export async function readGiven(env: Environment, cwd: string): Promise<Given & { unreadable: boolean }> {
  const named = setting(env, CONFIG_VARIABLE)
  const found = await findFile(named, cwd)
  const parsed = found.text === null ? { keys: {} } : parseFile(found.path, found.text)
  const fault = found.fault ?? ('fault' in parsed ? parsed.fault : undefined)
  const keys = 'keys' in parsed ? parsed.keys : {}
  const { settings, faults } = readEnvironment(env, namesIn(keys))
  const over = settings.reduce((all, { path, value }) => put(all, path.split('.'), value), keys)
  return {
    file: found.text === null ? null : found.path,
    keys: over,
    settings,
    faults: fault === undefined ? faults : [...faults, fault],
    unreadable: fault !== undefined,
  }
}

type Found = { path: string; text: string | null; fault?: string }

async function findFile(named: string | undefined, cwd: string): Promise<Found> {
  const path = resolve(cwd, named ?? DEFAULT_FILE)
  try {
    return { path, text: await readFile(path, 'utf8') }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    if (named === undefined && code === 'ENOENT') return { path, text: null }
    const from = named === undefined ? DEFAULT_FILE : `${CONFIG_VARIABLE}: ${named}`
    const shown = named === undefined || isAbsolute(named) ? from : `${from} (${path})`
    const fault = `${shown} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}`
    return { path, text: null, fault }
  }
}

function parseFile(path: string, text: string): { keys: Keys } | { fault: string } {
  const json = parseJson(text)
  if ('value' in json)
    return isGroup(json.value) ? { keys: json.value } : { fault: `${path}: give a JSON object` }
  return {
    fault: `${path}:${json.line}:${json.column} is not JSON: look for a missing or trailing comma, a missing quote, or a comment`,
  }
}

/** What the keys `client_secret_env` and `password_env` name, however deep they stand. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (!isGroup(value)) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    /^(?:client_secret|password)_env$/.test(key) && typeof inner === 'string' ? [inner] : namesIn(inner),
  )
}

/** A copy with the value at the path. A group of a wrong shape stays as it is, for the schema to complain about. */
function put(group: Keys, [key = '', ...rest]: string[], value: unknown): Keys {
  if (rest.length === 0) return { ...group, [key]: value }
  const inner = group[key] ?? {}
  return isGroup(inner) ? { ...group, [key]: put(inner, rest, value) } : group
}

export const isGroup = (value: unknown): value is Keys =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
