/** What a server is built on: Node, Bun, or another one that has `node:` modules. */

import type { ChildProcess } from 'node:child_process'

/** What differs between Node, Bun and another host with `node:` modules. */
export interface Runtime {
  /** @throws with `code` as node:net does: EADDRINUSE, EACCES, EADDRNOTAVAIL, ENOTFOUND. */
  listen(handler: Handler, options: ListenOptions): Promise<Listener>
  /** Starts this program once more, with the same arguments and a channel, so that all can listen on one port. */
  fork(env: Readonly<Record<string, string>>): ChildProcess
}

/** Never throws. */
export type Handler = (request: Request, connection: Connection) => Promise<Response>

export interface Connection {
  /** Of its other end. */
  address?: string | undefined
  /** The path was sent in a form that parsing its URL changes (`isAmbiguousPath`): it is answered with 404. */
  ambiguous_path?: boolean
  /**
   * Adds a header to the answer. Where a runtime has a cheaper way than the `Headers` of a Response, which on Node
   * are only built when they are asked for.
   */
  header?: ((name: string, value: string) => void) | undefined
}

/** Where and how a runtime listens. */
export interface ListenOptions {
  /** 0: any free one. */
  port: number
  /** A name or an address of this machine. */
  host: string
  /** Other processes of this server listen there too. */
  shared: boolean
  /** What never became a request and is no fault of the client's. */
  failed: (error: unknown) => void
  /** `LIMITS` when absent. */
  limits?: ConnectionLimits
}

/** How long a connection may be silent. */
export interface ConnectionLimits {
  /** Milliseconds until the head of a request must have arrived, from the connection or from its first byte on. */
  head_ms: number
  /** Milliseconds after an answer until the connection is closed. */
  idle_ms: number
}

/** A socket that takes requests. */
export interface Listener {
  /** Takes no connection any more; resolves once all are closed, each after the answer that it waits for. */
  close(): Promise<void>
  /** Closes whatever is left. */
  cut(): void
}

/** What every server refuses by itself. Node and Bun both stop at 16 KiB of head. */
export const LIMITS = {
  head_bytes: 16 * 1024,
  /** Milliseconds until the head of a request must have arrived. */
  head_ms: 10_000,
  /** The largest form of the protocol is 64 KiB, and is refused with an answer of its own. */
  body_bytes: 128 * 1024,
  /** Milliseconds from the head until the body must have arrived. */
  body_ms: 10_000,
  /** Milliseconds until a request is answered. */
  answer_ms: 30_000,
  /** Longer than the minute after which balancers drop an idle connection, so that it is never ours that closes first. */
  idle_ms: 65_000,
} as const
