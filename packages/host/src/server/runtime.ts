/** The port between the host and a JavaScript runtime: Node, Bun, or another one that has `node:` modules. */

import type { ChildProcess } from 'node:child_process'

/** What differs between the runtimes. A runtime answers the requests of one connection one after another. */
export interface Runtime {
  /** @throws with `code` as node:net does: EADDRINUSE, EACCES, EADDRNOTAVAIL, ENOTFOUND. */
  listen(handler: Handler, options: ListenOptions): Promise<Listener>
  /** Starts this program once more, with the same arguments and a channel, so that all can listen on one port. */
  fork(env: Readonly<Record<string, string>>): ChildProcess
}

/** Never throws. Where it has to wait for nothing, it answers at once, without a promise. */
export type Handler = (request: Request, connection: Connection) => Response | Promise<Response>

export interface Connection {
  /** The peer's IP address. */
  address?: string | undefined
  /** The path was sent in a form that parsing its URL changes (`isAmbiguousPath`): it is answered with 404. */
  ambiguous_path?: boolean
  /** The request came to the port of `admin.listen`. */
  admin_port?: boolean
  /**
   * Adds a header to the answer, or several of one name. For a runtime with a cheaper way than the `Headers` of a Response,
   * which Node builds only when they are read, and which join several of one name.
   */
  header?: ((name: string, value: string | string[]) => void) | undefined
}

/** Where and how a runtime listens. */
export interface ListenOptions {
  /** 0: any free one. */
  port: number
  /** A name or an address of this machine. */
  host: string
  /** Other processes of this server listen on the same port. */
  shared: boolean
  /** Called with errors outside of the handler that the client did not cause. */
  failed: (error: unknown) => void
  /** `LIMITS` when absent. */
  limits?: ConnectionLimits
}

/** How long a connection may be idle, or leave answers unread. */
export interface ConnectionLimits {
  /** Milliseconds until the head of a request must have arrived, from the connection or from its first byte on. */
  head_ms: number
  /** Milliseconds after an answer until the connection is closed. */
  idle_ms: number
  /** Milliseconds until a connection is closed whose client reads nothing of an answer. */
  unread_ms: number
}

/** A socket that takes requests. */
export interface Listener {
  /** Accepts no more connections; resolves when all are closed, each after its pending answer. */
  close(): Promise<void>
  /** Closes all connections at once. */
  cut(): void
}

/** The limits of every server. Node and Bun both refuse a head over 16 KiB. */
export const LIMITS = {
  head_bytes: 16 * 1024,
  /** Milliseconds until the head of a request must have arrived. */
  head_ms: 10_000,
  /** Core refuses a form over 64 KiB with an answer of its own; this limit is above it. */
  body_bytes: 128 * 1024,
  /** Milliseconds from the head until the body must have arrived. */
  body_ms: 10_000,
  /** Milliseconds until a request is answered. */
  answer_ms: 30_000,
  /** Longer than the minute after which load balancers drop an idle connection: the server must not close it first. */
  idle_ms: 65_000,
  /** Milliseconds until a connection is closed whose client reads nothing of an answer. */
  unread_ms: 30_000,
} as const
