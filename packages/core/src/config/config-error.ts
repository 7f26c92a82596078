/** A fault of a configuration, and the error that lists faults. */

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
 * For every package: what Node prints above an error is then a line of this one, which has its lines as they are written.
 * @throws ConfigError that names every fault, when there are some.
 */
export function refuseFaults(faults: readonly ConfigFault[]): void {
  if (faults.length > 0) throw new ConfigError(faults)
}
