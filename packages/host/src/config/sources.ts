/** Reads the file and the environment into one tree of keys, before it is checked. */

import { readFile } from 'node:fs/promises'
import { dirname, isAbsolute, resolve } from 'node:path'
import type { ConfigFault } from '@ostiary/core'
import { CONFIG_VARIABLE, type Environment, readEnvironment, type Setting, setting } from './environment.js'
import { parseJson } from './json.js'

type Keys = Record<string, unknown>

/** The file and the environment, read but not checked. */
export interface ConfigSources {
  /** The path of the file; null when there is none. */
  file: string | null
  /** The keys of the file. A variable that is set replaces the value of its key. */
  keys: Keys
  /** The variables that are set. */
  settings: Setting[]
  faults: ConfigFault[]
  /** The file exists, but its keys cannot be read. */
  unreadable: boolean
}

/** The file that is read when OSTIARY_CONFIG is unset, in the working directory. */
export const DEFAULT_FILE = 'ostiary.config.json'

export async function readSources(env: Environment, cwd: string): Promise<ConfigSources> {
  const file = await readKeys(setting(env, CONFIG_VARIABLE), cwd)
  const { settings, faults } = readEnvironment(env, variablesIn(file.keys))
  return {
    file: file.path,
    keys: settings.reduce((keys, { path, value }) => withValue(keys, path.split('.'), value), file.keys),
    settings,
    faults: file.fault === undefined ? faults : [...faults, file.fault],
    unreadable: file.fault !== undefined,
  }
}

/** Relative paths of the configuration start there. @param file Null: there is no file. */
export const folderOf = (file: string | null, cwd: string): string => (file === null ? cwd : dirname(file))

/**
 * What to do when a variable is unset and the `.env` of the working directory has it: Node reads that file only when it is told to.
 * @returns Empty where the file does not have it.
 */
export async function unreadEnvFile(variable: string, cwd: string): Promise<string> {
  const path = resolve(cwd, '.env')
  const text = await readFile(path, 'utf8').catch(() => '')
  const has = text.split('\n').some((line) => line.startsWith(`${variable}=`))
  if (!has) return ''
  return `. ${path} has it, but was not read: start with node --env-file=.env; in a project of npm create ostiary, npm run ostiary -- <command> does that`
}

interface FileKeys {
  /** Null when there is no file. */
  path: string | null
  keys: Keys
  fault?: ConfigFault
}

/** @param name The value of OSTIARY_CONFIG. */
async function readKeys(name: string | undefined, cwd: string): Promise<FileKeys> {
  const path = resolve(cwd, name ?? DEFAULT_FILE)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    if (name === undefined && code === 'ENOENT') return { path: null, keys: {} }
    return { path: null, keys: {}, fault: readFault({ name, path, code }) }
  }
  const json = await parseJson(text)
  if ('fault' in json) {
    const source = `${path}:${json.line}:${json.column}`
    return { path, keys: {}, fault: { path: '', source, message: json.fault } }
  }
  if (isGroup(json.value)) return { path, keys: json.value }
  return { path, keys: {}, fault: { path: '', source: path, message: 'give a JSON object' } }
}

function readFault({
  name,
  path,
  code,
}: {
  name: string | undefined
  path: string
  code: string
}): ConfigFault {
  const problem = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
  if (name === undefined) return { path: '', message: `${DEFAULT_FILE} ${problem}` }
  const file = isAbsolute(name) ? name : `${name} (${path})`
  return { path: '', source: CONFIG_VARIABLE, message: `${file} ${problem}` }
}

/** The variables that the keys `client_secret_env`, `password_env`, `secret_env` and `smtp_url_env` name, at any depth. */
function variablesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(variablesIn)
  if (!isGroup(value)) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    /^(?:client_secret|password|secret|smtp_url)_env$/.test(key) && typeof inner === 'string'
      ? [inner]
      : variablesIn(inner),
  )
}

/** A copy with the value at the path; unchanged when a parent of the key is not a group, which the schema reports. */
function withValue(group: Keys, [key = '', ...rest]: string[], value: unknown): Keys {
  if (rest.length === 0) return { ...group, [key]: value }
  const inner = group[key] ?? {}
  return isGroup(inner) ? { ...group, [key]: withValue(inner, rest, value) } : group
}

export const isGroup = (value: unknown): value is Keys =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
