/** What a server keeps for those that administer realms. */

import type { RealmSettings, RealmStore } from './realm-store.js'

/** What is wrong with a realm. */
export interface RealmFault {
  /** `id`, or the path as in a file: `oidc.tokens.access_token`. */
  path: string
  message: string
  /** The name of the key that was probably meant. */
  meant?: string
}

/** Where the configuration names a realm. */
export interface ConfiguredPlace {
  /** The configuration file; null when variables of the environment configure the server. */
  file: string | null
  /** For example `oidc.realms.acme`. */
  key: string
}

/** The realms of a server that were made at run time. */
export interface RunTimeRealms {
  store: RealmStore
  /** @returns What is wrong with the id and the settings; none when the realm may be stored. */
  check(id: string, settings: RealmSettings): Promise<RealmFault[]>
  /** Where the configuration names this realm; null when it does not. */
  configured(id: string): ConfiguredPlace | null
  /** After a change was stored: this process uses it at once, the others within 10 seconds. */
  changed(id: string): void
  /** The ids of all realms at this moment: those of the configuration, and those that were made. */
  ids(): Promise<string[]>
}
