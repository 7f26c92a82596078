/** The socket of a connection. */

import { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** What postgres.js connects to. */
export interface Target {
  host: string[]
  port: number[]
  /** Of a Unix socket. */
  path?: string | false | undefined
}

/**
 * A socket that fails when its peer closes it without a word, as a balancer without a server does. postgres.js alone would
 * connect again at once, without a pause and without an end, and the query would wait.
 */
export function openSocket(target: Target): Socket {
  const {
    host: [host = ''],
    port: [port = 0],
    path,
  } = target
  // postgres.js reads these for its errors and for TLS.
  const socket = Object.assign(new Socket(), { host, port })
  let answered = false
  socket.once('data', () => {
    answered = true
  })
  socket.once('end', () => {
    if (!answered) socket.destroy(closedAtOnce(target))
  })
  return path ? socket.connect(path) : socket.connect(port, host)
}

const closedAtOnce = (target: Target): Error =>
  closedError(`${nameOf(target)} has closed the connection without an answer`)

/** A socket that fails with the first byte that is written. */
export const failedSocket = (error: Error): Duplex =>
  new Duplex({ read() {}, write: (_chunk, _encoding, done) => done(error) })

/** The error of a statement on a connection that was ended. */
export const connectionEnded = (target: Target): Error =>
  closedError(`The connection to ${nameOf(target)} was ended`)

/** The error of a statement whose connection has closed while it started. */
export const closedAtStart = (target: Target): Error =>
  closedError(`${nameOf(target)} has closed the connection while it started`)

/** The error of a statement that was not sent, because its connection had closed before. */
export class NotSentError extends Error {
  readonly code = 'CONNECTION_CLOSED'

  constructor(target: Target) {
    super(`The connection to ${nameOf(target)} is closed`)
    this.name = 'NotSentError'
  }
}

const nameOf = ({ host, port, path }: Target): string => path || `${host[0]}:${port[0]}`

const closedError = (message: string): Error =>
  Object.assign(new Error(message), { code: 'CONNECTION_CLOSED' })
