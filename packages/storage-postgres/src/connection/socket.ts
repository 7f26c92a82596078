/** The socket of a connection. */

import { Socket } from 'node:net'

interface Target {
  host: string[]
  port: number[]
  /** Of a Unix socket. */
  path: string | false
}

/**
 * A socket that fails when its peer closes it without a word, as a balancer without a server does. postgres.js alone would
 * connect again at once, without a pause and without an end, and the query would wait.
 */
export function openSocket({ host: [host = ''], port: [port = 0], path }: Target): Socket {
  // postgres.js reads these for its errors and for TLS.
  const socket = Object.assign(new Socket(), { host, port })
  let answered = false
  socket.once('data', () => {
    answered = true
  })
  socket.once('end', () => {
    if (!answered) socket.destroy(closedAtOnce(path || `${host}:${port}`))
  })
  return path ? socket.connect(path) : socket.connect(port, host)
}

const closedAtOnce = (peer: string): Error =>
  Object.assign(new Error(`${peer} has closed the connection without an answer`), {
    code: 'CONNECTION_CLOSED',
  })
