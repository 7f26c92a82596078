import { type AuditRow, hashOfRow } from './row.js'
import type { AuditFilter, AuditSeal, AuditStore } from './store.js'

/** Rows of all realms that are kept, and seals; the oldest are dropped. */
const MAX_ROWS = 10_000

/** A store in memory, for tests and servers without a database: it has the newest 10,000 rows. */
export function memoryAuditStore(): AuditStore {
  /** In the order of their ids, which no two realms share. */
  let rows: AuditRow[] = []
  let seals: AuditSeal[] = []
  const of = (realm: string) => rows.filter((row) => row.realm === realm)
  return {
    async put(added) {
      for (const row of added) insertRow(rows, { ...row })
      rows.splice(0, rows.length - MAX_ROWS)
    },
    find: async (realm, audit_id) => of(realm).find((row) => row.audit_id === audit_id) ?? null,
    list: async (realm, { filter, before, limit }) =>
      of(realm)
        .filter((row) => (before === undefined || row.audit_id < before) && matches(row, filter))
        .reverse()
        .slice(0, limit),
    page: async (realm, { after = '', until, limit }) =>
      of(realm)
        .filter((row) => row.audit_id > after && (until === undefined || row.audit_id < until))
        .slice(0, limit),
    open: async () => [...new Set(rows.filter(isOpen).map(({ realm }) => realm))],
    unsealed: async (realm, before, limit) =>
      of(realm)
        .filter((row) => isOpen(row) && row.time < before)
        .slice(0, limit),
    async seal(seal, places) {
      const known = new Map(of(seal.realm).map((row) => [row.audit_id, row]))
      if (!places.every(({ audit_id, hash }) => isOpenAs(known.get(audit_id), hash))) return false
      if (seals.some(({ realm, number }) => realm === seal.realm && number === seal.number)) return false
      seals = [...seals, seal].slice(-MAX_ROWS)
      for (const { audit_id, place, hash } of places)
        Object.assign(known.get(audit_id) ?? {}, { seal: seal.number, place, hash })
      return true
    },
    seals: async (realm, { after, limit }) =>
      seals.filter((seal) => seal.realm === realm && seal.number > after).slice(0, limit),
    lastSeal: async (realm) => seals.findLast((seal) => seal.realm === realm) ?? null,
    rowsOf: async (realm, number) =>
      of(realm)
        .filter(({ seal }) => seal === number)
        .sort((a, b) => (a.place ?? 0) - (b.place ?? 0)),
    async purge(before, limit) {
      const due = seals.filter(({ expired, last_time }) => !expired && last_time < before).slice(0, limit)
      for (const seal of due) seal.expired = true
      const isDue = ({ realm, seal, time }: AuditRow) =>
        seal === null ? time < before : due.some((of) => of.realm === realm && of.number === seal)
      const kept = rows.filter((row) => !isDue(row))
      const deleted = rows.length - kept.length
      rows = kept
      return deleted
    },
    async erase(realm, sub) {
      const own = of(realm).filter((row) => row.sub === sub && row.salt !== null)
      for (const row of own) Object.assign(row, { private: null, salt: null })
      return own.length
    },
  }
}

const isOpen = ({ seal }: AuditRow): boolean => seal === null
const isOpenAs = (row: AuditRow | undefined, hash: string): boolean =>
  row !== undefined && isOpen(row) && hashOfRow(row) === hash

/** Rows come mostly in the order of their ids: then the others are not looked at. */
function insertRow(rows: AuditRow[], row: AuditRow): void {
  const index = rows.findLastIndex(({ audit_id }) => audit_id <= row.audit_id)
  const known = rows[index]
  if (known?.audit_id !== row.audit_id) rows.splice(index + 1, 0, row)
  else if (isOpen(known)) rows[index] = row
}

const COMPARED = ['sub', 'client_id', 'actor', 'flow'] as const

function matches(row: AuditRow, filter: AuditFilter): boolean {
  const { type, reference, since = 0, until = Number.POSITIVE_INFINITY } = filter
  return (
    COMPARED.every((name) => filter[name] === undefined || filter[name] === row[name]) &&
    (type === undefined || (type.endsWith('.') ? row.type.startsWith(type) : row.type === type)) &&
    (reference === undefined || row.refs.includes(reference)) &&
    row.time >= since &&
    row.time < until
  )
}
