/** What a connection reports while it is open. */
export type RedisEvent =
  /** No command is answered. Sent once for all attempts to connect. */
  | { type: 'unavailable'; error: unknown }
  | { type: 'available' }
  /** A node of a cluster, as `host:port`; its other nodes still answer. */
  | { type: 'node unavailable'; node: string; error: unknown }
  | { type: 'node available'; node: string }
  /** A server that must not be used, and why: a sentence. Its connections are closed. */
  | { type: 'refused'; node: string; reason: string }
  | { type: 'accepted'; node: string }
