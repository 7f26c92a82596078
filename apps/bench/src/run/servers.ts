/** The running servers of one workload, or of all workloads when a new start would take longer than the measurement. */

import type { ServerKind } from '../servers/catalog.js'
import { type StartedServer, start, startBare } from '../servers/start.js'

export interface Servers {
  get(kind: ServerKind, people: number): Promise<StartedServer>
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
    get: (kind, people) => get(kind.name, () => start(kind, { people })),
    bare: (document) => get(`bare ${document?.origin}${document?.path}`, () => startBare(document)),
    done: async () => (keep ? undefined : stop()),
    stop,
  }
}
