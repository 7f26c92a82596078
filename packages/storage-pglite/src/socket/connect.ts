/** The executor of a command that uses the database of a running server. */

import { createConnection, type Socket } from 'node:net'
import type { Executor, Param, Queries } from '@ostiary/storage-postgres'
import type { FolderInUseError } from '../folder-lock.js'
import { encode, messageReader } from './messages.js'
import { socketFault, socketOf } from './place.js'
import {
  errorOf,
  HELLO,
  isAnswer,
  isHello,
  isSameRelease,
  type Request,
  SharedFolderError,
} from './protocol.js'

interface ConnectLimits {
  /** Until the owner has answered the hello. */
  hello_ms: number
  /** Until it has answered a request, which may wait for those of users and of other commands. */
  answer_ms: number
}

const CONNECT_LIMITS: ConnectLimits = { hello_ms: 10_000, answer_ms: 60_000 }

/**
 * @param in_use The owner of the folder.
 * @throws FolderInUseError with the reason why its database cannot be used.
 */
export async function connectBeside(
  folder: string,
  in_use: FolderInUseError,
  limits = CONNECT_LIMITS,
): Promise<Executor> {
  const fault = socketFault(folder)
  if (fault !== null) throw in_use.unreachable(fault)
  const socket = createConnection(socketOf(folder))
  const failed = new Promise<string>((resolve) => {
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'error'))
  })
  const line = exchange(socket, { limits, owner: in_use.owner })
  const greeted = await Promise.race([failed, line.greet()])
  if (greeted === null) return executorOn(socket, line.ask)
  socket.destroy()
  throw typeof greeted === 'string'
    ? in_use.unreachable(`${socketOf(folder)} does not lead to it (${greeted})`)
    : in_use.advising(greeted.advice)
}

/** The owner takes no requests of this command. */
interface Refusal {
  advice: string
}

const OTHER_RELEASE: Refusal = { advice: 'It is another release: stop it, or use its own ostiary.' }

interface Line {
  limits: ConnectLimits
  /** Names the owner, for messages. */
  owner: string
}

/** Sends one message and waits for its answer, one after the other. */
function exchange(socket: Socket, { limits, owner }: Line) {
  const read = messageReader(socket, limits.answer_ms)
  let lost: SharedFolderError | null = null
  /** Undefined when the connection has ended, or no answer came. */
  const next = async (message: Buffer, within_ms: number): Promise<unknown> => {
    socket.ref()
    const late = setTimeout(() => socket.destroy(), within_ms)
    socket.write(message)
    const answer = await read().catch(() => undefined)
    clearTimeout(late)
    socket.unref()
    return answer
  }
  return {
    /** Null when the owner takes requests; a text for what is no answer of an owner. */
    async greet(): Promise<Refusal | string | null> {
      const answer = await next(encode(HELLO), limits.hello_ms)
      if (isHello(answer)) return isSameRelease(answer) ? null : OTHER_RELEASE
      if (!isAnswer(answer) || !('error' in answer)) return 'no answer'
      return { advice: `${answer.error.message}.` }
    },
    async ask<T>(request: Request): Promise<T[]> {
      if (lost) throw lost
      const answer = await next(encode(request), limits.answer_ms)
      if (!isAnswer(answer)) {
        socket.destroy()
        lost = new SharedFolderError(lostText(owner), 'ECONNRESET')
        throw lost
      }
      if ('error' in answer) throw errorOf(answer.error)
      return answer.rows as T[]
    },
  }
}

const lostText = (owner: string): string =>
  `The server that has the embedded database open, ${owner}, has stopped or does not answer. A transaction that was open is rolled ` +
  'back; a single change that was just sent may be stored. Run the command again.'

type Ask = ReturnType<typeof exchange>['ask']

/** One after the other: the connection takes one request at a time, and a transaction has it alone. */
function turns() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
}

function executorOn(socket: Socket, ask: Ask): Executor {
  const inTurn = turns()
  return {
    query: <T>(text: string, params: readonly Param[] = []) =>
      inTurn(() => ask<T>({ do: 'query', text, params })),
    transaction: (run) => inTurn(() => inTransaction(ask, run)),
    async close() {
      socket.destroy()
    },
  }
}

async function inTransaction<T>(ask: Ask, run: (tx: Queries) => Promise<T>): Promise<T> {
  const inTurn = turns()
  let ended = false
  const end = (how: 'commit' | 'rollback') => {
    ended = true
    return inTurn(() => ask({ do: how }))
  }
  await ask({ do: 'begin' })
  try {
    const result = await run({
      async query<Row>(text: string, params: readonly Param[] = []) {
        if (ended) throw new Error('The transaction has ended')
        return inTurn(() => ask<Row>({ do: 'query', text, params }))
      },
    })
    await end('commit')
    return result
  } catch (error) {
    // Without the connection, the owner rolls back by itself.
    if (!ended) await end('rollback').catch(() => {})
    throw error
  }
}
