/** A database that listens, and those who connect to it: as a command does, or with messages of the test's own. */

import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Executor } from '@ostiary/storage-postgres'
import { afterAll, onTestFinished } from 'vitest'
import { pgliteExecutor } from '../src/index.js'
import { messageReader } from '../src/socket/messages.js'
import { socketOf } from '../src/socket/place.js'
import { HELLO } from '../src/socket/protocol.js'

/** A folder of this file, for a database or a socket that each of its tests uses. */
export function folderOfFile(): string {
  const parent = mkdtempSync(join(tmpdir(), 'ostiary-shared-'))
  afterAll(() => rmSync(parent, { recursive: true, force: true }))
  return join(parent, 'data')
}

export function folderOfTest(): string {
  const parent = mkdtempSync(join(tmpdir(), 'ostiary-shared-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  return join(parent, 'data')
}

export async function connected(folder: string): Promise<Executor> {
  const executor = await pgliteExecutor(folder, { socket: 'connect' })
  onTestFinished(() => executor.close())
  return executor
}

export interface RawConnection {
  socket: Socket
  /** Sends the JSON of a value, with the length that it has. */
  send(value: unknown): void
  /** Undefined when the connection has ended. */
  read(): Promise<unknown>
  ask(value: unknown): Promise<unknown>
}

/** Without a hello. */
export function rawConnection(folder: string): RawConnection {
  const socket = createConnection(socketOf(folder))
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  const read = messageReader(socket, 60_000)
  const send = (value: unknown) => {
    const json = Buffer.from(JSON.stringify(value))
    const head = Buffer.alloc(4)
    head.writeUInt32BE(json.length)
    socket.write(Buffer.concat([head, json]))
  }
  return {
    socket,
    send,
    read,
    ask(value) {
      send(value)
      return read()
    },
  }
}

export async function greeted(folder: string): Promise<RawConnection> {
  const raw = rawConnection(folder)
  const answer = await raw.ask(HELLO)
  if (JSON.stringify(answer) !== JSON.stringify(HELLO)) throw new Error(JSON.stringify(answer))
  return raw
}

/** What it rejects with. */
export const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => new Error('It has not rejected'),
    (error: unknown) => error,
  )
