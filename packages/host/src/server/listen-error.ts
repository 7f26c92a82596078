/** The settings that say where a socket listens, for the text of an error. */
export interface ListenSettings {
  port: string
  host: string
}

export const SERVER_SETTINGS: ListenSettings = { port: 'PORT', host: 'HOST' }
export const METRICS_SETTINGS: ListenSettings = { port: 'OSTIARY_METRICS_PORT', host: 'OSTIARY_METRICS_HOST' }
export const ADMIN_SETTINGS: ListenSettings = { port: 'admin.listen.port', host: 'admin.listen.host' }

/** A port beside that of the server cannot be used. The cause is the runtime's error. */
export class ListenError extends Error {
  /** Those that say which port it is. */
  readonly settings: ListenSettings

  constructor(settings: ListenSettings, cause: unknown) {
    super('Cannot listen', { cause })
    this.name = 'ListenError'
    this.settings = settings
  }
}
