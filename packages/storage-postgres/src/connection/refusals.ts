/** Counts the connections that a server has refused, by the reason. */

/** PostgreSQL's names of its conditions by SQLSTATE, and what the system says when no server listens. */
const REASONS = new Map([
  ['53300', 'too_many_connections'],
  ['53400', 'configuration_limit_exceeded'],
  ['57P03', 'cannot_connect_now'],
  ['ECONNREFUSED', 'connection_refused'],
] as const)

/** Why a server has refused a connection. */
export type RefusalReason = typeof REASONS extends ReadonlyMap<string, infer Reason> ? Reason : never

/** The number of connections that were refused since the start, by the reason. */
export type RefusedConnections = Readonly<Record<RefusalReason, number>>

interface RefusalCounter {
  counts: RefusedConnections
  /** Counts the error when it is a refusal. To be called once for each error of a connection. */
  count(error: unknown): void
}

export function refusalCounter(): RefusalCounter {
  const counts: Record<RefusalReason, number> = {
    too_many_connections: 0,
    configuration_limit_exceeded: 0,
    cannot_connect_now: 0,
    connection_refused: 0,
  }
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
  return REASONS.get(code as Parameters<typeof REASONS.get>[0]) ?? null
}
