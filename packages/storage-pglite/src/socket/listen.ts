/** The owner of the folder answers commands beside it. */

import { createServer, type Socket } from 'node:net'
import type { Executor } from '@ostiary/storage-postgres'
import { bindBeside } from './place.js'
import { SharedFolderError } from './protocol.js'
import { SESSION_LIMITS, serveSession } from './session.js'

const MAX_CONNECTIONS = 8

const FULL = new SharedFolderError(
  `${MAX_CONNECTIONS} commands use it already: run this one again when one of them has ended`,
)

/**
 * Keeps no process alive.
 * @returns Listens no more, ends all connections, and resolves when their transactions are rolled back.
 * @throws what `bindBeside` throws.
 */
export async function listenBeside(
  folder: string,
  executor: Executor,
  limits = SESSION_LIMITS,
): Promise<() => Promise<void>> {
  const open = new Map<Socket, Promise<void>>()
  let served = 0
  const server = createServer((socket) => {
    const refusal = served < MAX_CONNECTIONS ? null : FULL
    if (refusal === null) served += 1
    const session = serveSession(socket, { executor, limits, refusal }).finally(() => {
      if (refusal === null) served -= 1
      open.delete(socket)
    })
    open.set(socket, session)
  })
  // As many again wait for their refusal; the rest is not accepted.
  server.maxConnections = 2 * MAX_CONNECTIONS
  server.unref()
  const remove = await bindBeside(folder, server).catch((error: unknown) => {
    server.close()
    throw error
  })
  // A fault of accept(), such as too many open files: the next connection may be accepted.
  server.on('error', () => {})
  return async () => {
    remove()
    server.close()
    for (const socket of open.keys()) socket.destroy()
    await Promise.all(open.values())
  }
}
