/** The settings that say where a socket listens, for the text of an error. */
export interface ListenSettings {
  port: string
  host: string
}

export const SERVER_SETTINGS: ListenSettings = { port: 'PORT', host: 'HOST' }
export const METRICS_SETTINGS: ListenSettings = { port: 'OSTIARY_METRICS_PORT', host: 'OSTIARY_METRICS_HOST' }

/** The metrics server cannot listen. The cause is the runtime's error. */
export class MetricsListenError extends Error {
  constructor(cause: unknown) {
    super('The metrics server cannot listen', { cause })
    this.name = 'MetricsListenError'
  }
}
