/** Counts the connections that a server has refused, by the reason. */

/** PostgreSQL's names of its conditions by SQLSTATE, and what the system says when no server listens. */
const REASONS: ReadonlyMap<unknown, RefusalReason> = new Map([
  ['53300', 'too_many_connections'],
  ['53400', 'configuration_limit_exceeded'],
  ['57P03', 'cannot_connect_now'],
  ['ECONNREFUSED', 'connection_refused'],
])

/** Why a server has refused a connection. */
export type RefusalReason =
  | 'too_many_connections'
  | 'configuration_limit_exceeded'
  | 'cannot_connect_now'
  | 'connection_refused'

/** The number of connections that were refused since the start, by the reason. */
export type RefusedConnections = Readonly<Record<RefusalReason, number>>

interface RefusalCounter {
  counts: RefusedConnections
  /** Counts the error when it is a refusal. To be called once for each error of a connection. */
  count(error: unknown): void
}

/** A number for each reason. */
export const countReasons = (count: (reason: RefusalReason) => number): Record<RefusalReason, number> => ({
  too_many_connections: count('too_many_connections'),
  configuration_limit_exceeded: count('configuration_limit_exceeded'),
  cannot_connect_now: count('cannot_connect_now'),
  connection_refused: count('connection_refused'),
})

export function refusalCounter(): RefusalCounter {
  const counts = countReasons(() => 0)
  return {
    counts,
    count(error) {
      const reason = refusalReason(error)
      if (reason !== null) counts[reason] += 1
    },
  }
}

interface ConnectionError {
  code?: string
  /** Of an error that PostgreSQL has sent. */
  severity?: string
  /** The same in the language of the server: a pooler sends this one alone. */
  severity_local?: string
}

/** Null for an error of a statement on an open connection: 53400 is also that of a temporary file over its limit. */
function refusalReason(error: unknown): RefusalReason | null {
  const { code, severity_local, severity = severity_local } = (error ?? {}) as ConnectionError
  if (severity !== undefined && severity !== 'FATAL') return null
  return REASONS.get(code) ?? null
}
