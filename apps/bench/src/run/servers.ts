/** The running servers of one workload, or of all workloads when a new start would take longer than the measurement. */

import type { ServerKind } from '../servers/server-kind.js'
import { type StartedServer, type StartOptions, start, startBare } from '../servers/start.js'

export interface Servers {
  get(kind: ServerKind, options: Pick<StartOptions, 'people' | 'es256'>): Promise<StartedServer>
  /** The bare server, with another server's document if it answers that. */
  bare(document?: { origin: string; path: string }): Promise<StartedServer>
  /** Called after each workload. */
  done(): Promise<void>
  /** Called after the last workload. */
  stop(): Promise<void>
}

/** @param keep Whether they stay for the next workload. */
export function createServers(keep: boolean): Servers {
  const running = new Map<string, StartedServer>()
  const stop = async () => {
    for (const server of running.values()) await server.stop()
    running.clear()
  }
  const get = async (name: string, begin: () => Promise<StartedServer>) => {
    const server = running.get(name) ?? (await begin())
    running.set(name, server)
    return server
  }
  return {
    get: (kind, options) =>
      get(options.es256 ? `${kind.name}, ES256` : kind.name, () => start(kind, options)),
    bare: (document) => get(`bare ${document?.origin}${document?.path}`, () => startBare(document)),
    done: async () => (keep ? undefined : stop()),
    stop,
  }
}
