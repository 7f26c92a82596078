import type { AuditStore } from '@ostiary/audit'
import type { CursorKey, SinkCursor, SinkStore } from './cursor.js'

/** Cursors in memory, for tests and servers without a database. @param audit Whose rows are delivered. */
export function memorySinkStore(audit: Pick<AuditStore, 'lastSeal'>): SinkStore {
  const cursors = new Map<string, SinkCursor>()
  const leases = new Map<string, { lease: string; leased_until: number }>()
  const keyOf = ({ realm, sink }: CursorKey) => JSON.stringify([realm, sink])
  const newest = async (realm: string) => (await audit.lastSeal(realm))?.number ?? 0
  const isDue = (cursor: SinkCursor, now: number) =>
    cursor.next_attempt_at <= now && (leases.get(keyOf(cursor))?.leased_until ?? 0) <= now
  return {
    async enter(sink, realms) {
      for (const realm of realms) {
        const seal = (await newest(realm)) + 1
        const cursor = { realm, sink, seal, place: 0, ...NOT_TRIED, dropped: 0, next_attempt_at: 0 }
        if (!cursors.has(keyOf(cursor))) cursors.set(keyOf(cursor), cursor)
      }
    },
    async due(sink, now) {
      const due: SinkCursor[] = []
      for (const cursor of cursors.values())
        if (cursor.sink === sink && isDue(cursor, now) && (await newest(cursor.realm)) >= cursor.seal)
          due.push(cursor)
      const byTime = (a: SinkCursor, b: SinkCursor) => a.next_attempt_at - b.next_attempt_at
      const byRealm = (a: SinkCursor, b: SinkCursor) => (a.realm < b.realm ? -1 : 1)
      return due.sort((a, b) => byTime(a, b) || byRealm(a, b)).map(({ realm }) => realm)
    },
    async claim(key, lease, now) {
      const cursor = cursors.get(keyOf(key))
      if (cursor === undefined || !isDue(cursor, now)) return null
      leases.set(keyOf(key), lease)
      return { ...cursor }
    },
    async save(cursor, lease) {
      if (leases.get(keyOf(cursor))?.lease !== lease.lease) return false
      cursors.set(keyOf(cursor), { ...cursor })
      leases.set(keyOf(cursor), lease)
      return true
    },
    async forget() {},
  }
}

const NOT_TRIED = { attempts: 0, failing_since: null, error: null }
