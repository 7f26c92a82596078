/** What can be wrong with a configuration: records, and the one place that makes a text of them. */

import type * as z from 'zod'
import { closest, keysAt } from '../util/suggestions.js'

/** One fault of a configuration. */
export interface ConfigFault {
  /** The path of the key, e.g. `oidc.tokens.id_token`; empty when the fault belongs to no key. */
  path: string
  /** What is wrong, without the path. Never contains the value of a secret. */
  message: string
  /** Where the value was written, if that is not the key itself: the name of a variable, a file with line and column. */
  source?: string
  /** The last step of `path`, if the fault is that no such key exists. */
  unknown_key?: string
  /** The name that was probably meant instead of an unknown one. */
  meant?: string
}

/** `path: message`, with the source in place of the path if there is one, and the name that was probably meant. */
export function formatConfigFault({ path, message, source, meant }: ConfigFault): string {
  const place = source ?? path
  const text = meant === undefined ? message : `${message}; did you mean ${meant}?`
  return place === '' ? text : `${place}: ${text}`
}

/** The fault with the candidate that was probably meant, if one is near; `name` is the unknown name. */
export function withSuggestion(fault: ConfigFault, name: string, candidates: readonly string[]): ConfigFault {
  const meant = closest(name, candidates)
  return meant === null ? fault : { ...fault, meant }
}

/** A setting is missing or wrong. The message lists every fault, one a line. */
export class ConfigError extends Error {
  readonly faults: readonly ConfigFault[]

  constructor(faults: ConfigFault | readonly ConfigFault[]) {
    const list: readonly ConfigFault[] = 'message' in faults ? [faults] : faults
    super(list.map(formatConfigFault).join('\n'))
    this.name = 'ConfigError'
    this.faults = list
  }
}

/**
 * The faults that a schema reports, each with the path of its key.
 * @param path The path of the value that was checked; empty for the whole configuration.
 * @param schema When it is given, a fault of an unknown key names the key that was probably meant.
 */
export function configFaults(error: z.core.$ZodError, path: string, schema?: z.ZodType): ConfigFault[] {
  return error.issues.flatMap((issue): ConfigFault[] => {
    const inner = issue.path.map(String)
    const steps = [path, ...inner].filter(Boolean)
    if (issue.code !== 'unrecognized_keys') return [{ path: steps.join('.'), message: issue.message }]
    const candidates = schema ? keysAt(schema, inner) : []
    return issue.keys.map((key) => {
      const fault = { path: [...steps, key].join('.'), message: 'there is no such key', unknown_key: key }
      return withSuggestion(fault, key, candidates)
    })
  })
}

/**
 * For every package: what Node prints above an error is then a line of this one, which has its lines as they are written.
 * @throws ConfigError that names every fault, when there are some.
 */
export function refuseFaults(faults: readonly ConfigFault[]): void {
  if (faults.length > 0) throw new ConfigError(faults)
}

/**
 * Runs the function for each item.
 * @throws ConfigError with the faults of all ConfigErrors that it threw.
 */
export function collectFaults<T>(items: Iterable<T>, run: (item: T) => void): void {
  const faults: ConfigFault[] = []
  for (const item of items) {
    try {
      run(item)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      faults.push(...error.faults)
    }
  }
  refuseFaults(faults)
}
