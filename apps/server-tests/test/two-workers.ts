/** A server with two workers on PostgreSQL. */

import { eventually } from '@ostiary/test-kit/eventually'
import { freePort } from '@ostiary/test-kit/ports'
import { configFor, SECRET, type ServerProcess, startServer } from '@ostiary/test-kit/server'
import { onTestFinished } from 'vitest'
import { prepare } from './storages.ts'

export interface TwoWorkers extends ServerProcess {
  /** The address of /metrics. */
  metrics: string
  /** Of all workers that were started, in this order. */
  pids(): number[]
}

/** Starts it for one test. Resolves when both workers listen. @param changes Of the configuration. */
export async function twoWorkers(changes: object = {}): Promise<TwoWorkers> {
  const { env, remove } = await prepare('postgres')
  const port = await freePort()
  const server = await startServer({
    config: (own: number) => ({
      ...configFor('http://localhost:8080/callback')(own),
      server: { workers: 2, metrics: { port } },
      ...changes,
    }),
    env: { OIDC_SECRET: SECRET, ...env },
  })
  const pids = () => server.logged('a worker has been started').map(({ pid }) => Number(pid))
  onTestFinished(async () => {
    server.child.kill('SIGKILL')
    for (const pid of pids()) signal(pid, 'SIGKILL')
    await remove()
  })
  await eventually(() => server.logged('listening').length === 2)
  return { ...server, metrics: `http://localhost:${port}/metrics`, pids }
}

/** Sends a signal. @returns False when the process has ended. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
