/** Seals: each minute, what the realm's key says about the rows that are older than two minutes and have no seal yet. */

import { type AuditRow, hashOfRow, sha256 } from './row.js'
import type { AuditSeal, AuditStore } from './store.js'

/** Seconds. Rows that are younger may still change, or be written by another server. */
export const OPEN_SECONDS = 120
/** Rows of one seal. */
const MAX_SEALED_ROWS = 1000

/** What a seal says, as claims of its JWS. */
export interface SealStatement {
  realm: string
  /** 1 for the first seal of the realm. */
  number: number
  /** Epoch seconds. */
  sealed_at: number
  rows: number
  /** The ids of its first and its last row; null in a seal over none. */
  first: string | null
  last: string | null
  /** Of the hashes of its rows, in their order. */
  sha256: string
  /** The SHA-256 of the JWS of the seal before; null for the first one. */
  previous: string | null
}

/** The keys of a realm: `manage(realm).keys`. */
export interface SealingKeys {
  list(): Promise<{ kid: string }[]>
  attest(statement: object): Promise<string>
}

interface Sealing {
  store: AuditStore
  realm: string
  /** Epoch seconds. */
  now: number
  keys(): Promise<SealingKeys>
}

/** Seals what is due. */
export async function sealRows({ store, realm, now, keys }: Sealing): Promise<void> {
  for (;;) {
    const previous = await store.lastSeal(realm)
    const rows = await store.unsealed(realm, now - OPEN_SECONDS, MAX_SEALED_ROWS)
    if (rows.length === 0 && (previous === null || (await isKnown(previous, await keys())))) return
    const { seal, places } = await sealOf(rows, { previous, realm, now, keys: await keys() })
    if (!(await store.seal(seal, places)) || rows.length < MAX_SEALED_ROWS) return
  }
}

/** The newest seal is always signed by a key that is published: it says which seals came before. */
async function isKnown({ jws }: AuditSeal, keys: SealingKeys): Promise<boolean> {
  const kid = kidOf(jws)
  return (await keys.list()).some((key) => key.kid === kid)
}

/** The id of the key that has signed it. */
export const kidOf = (jws: string): string => partOf(jws, 0).kid

/** Of a compact JWS: 0 is the header, 1 the payload. */
export const partOf = (jws: string, part: 0 | 1) =>
  JSON.parse(Buffer.from(jws.split('.')[part] ?? '', 'base64url').toString())

/** Of the hashes of rows, in their order. */
export const hashOfRows = (hashes: readonly string[]): string => sha256(hashes.join('\n'))

interface SealInput extends Pick<Sealing, 'realm' | 'now'> {
  previous: AuditSeal | null
  keys: SealingKeys
}

async function sealOf(rows: readonly AuditRow[], { previous, realm, now, keys }: SealInput) {
  const places = rows.map((row, index) => ({
    row,
    audit_id: row.audit_id,
    place: index + 1,
    hash: hashOfRow(row),
  }))
  const number = (previous?.number ?? 0) + 1
  const statement: SealStatement = {
    realm,
    number,
    sealed_at: now,
    rows: rows.length,
    first: rows[0]?.audit_id ?? null,
    last: rows.at(-1)?.audit_id ?? null,
    sha256: hashOfRows(places.map(({ hash }) => hash)),
    previous: previous === null ? null : sha256(previous.jws),
  }
  const jws = await keys.attest(statement)
  const last_time = rows.reduce((latest, { time }) => Math.max(latest, time), previous?.last_time ?? 0)
  return { seal: { realm, number, last_time, jws, expired: false }, places }
}
