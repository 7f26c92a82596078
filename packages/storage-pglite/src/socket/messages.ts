/** Messages on a socket; see protocol.ts. */

import type { Socket } from 'node:net'
import { MAX_MESSAGE_BYTES, SharedFolderError } from './protocol.js'

const LENGTH_BYTES = 4

/** @throws SharedFolderError for a message that is too large. */
export function encode(message: object): Buffer {
  const json = Buffer.from(JSON.stringify(message))
  if (json.length > MAX_MESSAGE_BYTES) throw tooLarge(json.length)
  const head = Buffer.alloc(LENGTH_BYTES)
  head.writeUInt32BE(json.length)
  return Buffer.concat([head, json])
}

const tooLarge = (bytes: number): SharedFolderError =>
  new SharedFolderError(
    `A statement or its result has ${bytes} bytes. Beside the running server ${MAX_MESSAGE_BYTES} are the most: ` +
      'stop the server, and run the command again',
  )

/**
 * Reads only when it is asked: what the other side sends meanwhile waits in the system.
 * @param stalled_ms A message that has begun must be complete in this time. Else the socket is destroyed.
 * @returns The next message; undefined when the connection has ended. It rejects for what is no message.
 */
export function messageReader(socket: Socket, stalled_ms: number): () => Promise<unknown> {
  const chunks: AsyncIterator<Buffer> = socket[Symbol.asyncIterator]()
  let parts: Buffer[] = []
  let size = 0
  const has = async (bytes: number): Promise<boolean> => {
    while (size < bytes) {
      const chunk = await chunks.next().catch(() => null)
      if (chunk === null || chunk.done) return false
      parts.push(chunk.value)
      size += chunk.value.length
    }
    return true
  }
  const take = (bytes: number): Buffer => {
    const all = Buffer.concat(parts)
    parts = [all.subarray(bytes)]
    size -= bytes
    return all.subarray(0, bytes)
  }
  return async () => {
    if (!(await has(1))) return undefined
    const stalled = setTimeout(() => socket.destroy(), stalled_ms)
    stalled.unref()
    try {
      if (!(await has(LENGTH_BYTES))) return undefined
      const length = take(LENGTH_BYTES).readUInt32BE()
      if (length > MAX_MESSAGE_BYTES) throw tooLarge(length)
      return (await has(length)) ? JSON.parse(take(length).toString('utf8')) : undefined
    } finally {
      clearTimeout(stalled)
    }
  }
}
