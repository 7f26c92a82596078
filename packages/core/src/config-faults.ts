/** What can be wrong with a configuration: records, and the one place that makes a text of them. */

import type * as z from 'zod'

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
}

/** `path: message`, with the source in place of the path if there is one. */
export function formatConfigFault({ path, message, source }: ConfigFault): string {
  const place = source ?? path
  return place === '' ? message : `${place}: ${message}`
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
 */
export function configFaults(error: z.core.$ZodError, path: string): ConfigFault[] {
  return error.issues.flatMap((issue): ConfigFault[] => {
    const steps = [path, ...issue.path.map(String)].filter(Boolean)
    if (issue.code !== 'unrecognized_keys') return [{ path: steps.join('.'), message: issue.message }]
    return issue.keys.map((key) => ({
      path: [...steps, key].join('.'),
      message: 'there is no such key',
      unknown_key: key,
    }))
  })
}
