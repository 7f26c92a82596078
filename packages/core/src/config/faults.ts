/** The faults that a schema reports. */

import type * as z from 'zod'
import { closest, keysAt } from '../util/suggestions.js'
import { ConfigError, type ConfigFault, refuseFaults } from './config-error.js'

/** The fault with the candidate that was probably meant, if one is near; `name` is the unknown name. */
export function withSuggestion(fault: ConfigFault, name: string, candidates: readonly string[]): ConfigFault {
  const meant = closest(name, candidates)
  return meant === null ? fault : { ...fault, meant }
}

/**
 * The faults that a schema reports, each with the path of its key.
 * @param path The path of the value that was checked; empty for the whole configuration.
 * @param schema With it, a fault of an unknown key names the one that was probably meant.
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
