/** The owner's side of one connection. */

import type { Socket } from 'node:net'
import type { Executor } from '@ostiary/storage-postgres'
import { type HeldTransaction, holdTransaction, type TransactionLimits } from './held-transaction.js'
import { encode, messageReader } from './messages.js'
import {
  type Answer,
  errorFields,
  HELLO,
  isHello,
  isRequest,
  isSameRelease,
  type Request,
  requireJson,
  SharedFolderError,
} from './protocol.js'

export interface SessionLimits extends TransactionLimits {
  /** For a message that has begun, for the first one, and for the reading of an answer. */
  stalled_ms: number
}

export const SESSION_LIMITS: SessionLimits = { idle_ms: 5_000, transaction_ms: 10_000, stalled_ms: 10_000 }

interface Session {
  executor: Executor
  limits: SessionLimits
  /** Why the connection is refused; null when it is not. */
  refusal: SharedFolderError | null
}

/** Answers one request after the other. Resolves when the connection has ended and its transaction is rolled back. */
export async function serveSession(socket: Socket, { executor, limits, refusal }: Session): Promise<void> {
  socket.unref()
  socket.on('error', () => {})
  const read = messageReader(socket, limits.stalled_ms)
  const send = (answer: object) => sent(socket, answer, limits.stalled_ms)
  let held: HeldTransaction | null = null
  const run = async (request: Request): Promise<unknown[]> => {
    if (request.do === 'query') return (held ?? executor).query(request.text, request.params)
    if (request.do === 'begin') {
      if (held) throw new SharedFolderError('The connection has a transaction already')
      held = await holdTransaction(executor, limits)
      return []
    }
    const ending = held
    held = null
    await ending?.end(request.do)
    return []
  }
  try {
    if (!(await isGreeted(socket, { read, send, limits, refusal }))) return
    // What a client has sent before its connection ended is not run.
    while (!socket.destroyed) {
      const request = await read()
      if (!isRequest(request)) return
      await send(await answered(run(request)))
    }
  } catch {
    // What came is no message: the connection ends.
  } finally {
    await (held as HeldTransaction | null)?.end('rollback')
    socket.destroy()
  }
}

interface Greeting extends Pick<Session, 'limits' | 'refusal'> {
  read(): Promise<unknown>
  send(answer: object): Promise<void>
}

async function isGreeted(socket: Socket, { read, send, limits, refusal }: Greeting): Promise<boolean> {
  const silent = setTimeout(() => socket.destroy(), limits.stalled_ms)
  silent.unref()
  const hello = await read().finally(() => clearTimeout(silent))
  if (!isHello(hello)) return false
  await send(refusal ? { error: errorFields(refusal) } : HELLO)
  return refusal === null && isSameRelease(hello)
}

async function answered(work: Promise<unknown[]>): Promise<Answer> {
  try {
    const rows = await work
    requireJson(rows)
    return { rows }
  } catch (error) {
    return { error: errorFields(error) }
  }
}

/** Resolves when the other side has taken it, so that one answer at most waits in memory; or when the connection has ended. */
async function sent(socket: Socket, answer: object, stalled_ms: number): Promise<void> {
  const stalled = setTimeout(() => socket.destroy(), stalled_ms)
  stalled.unref()
  await new Promise<void>((resolve) => {
    const done = () => {
      socket.off('close', done)
      resolve()
    }
    socket.once('close', done)
    socket.write(bytesOf(answer), done)
  })
  clearTimeout(stalled)
}

function bytesOf(answer: object): Buffer {
  try {
    return encode(answer)
  } catch (error) {
    return encode({ error: errorFields(error) })
  }
}
