/** Compares rows with their seals, and names the first row of each seal that is not as it was sealed. */

import type { AuditRow, AuditSeal, AuditStore, SealStatement } from '@ostiary/audit'
import { hashOfRow, hashOfRows, kidOf, OPEN_SECONDS, partOf, privateHash, sha256 } from '@ostiary/audit/rows'
import type { JSONWebKeySet } from 'jose'

/** What is wrong with the audit. */
export interface AuditFinding {
  /** `changed`, `removed`, `inserted` or `reordered` rows; a `seal` that is missing or was changed; `unsealed`: nobody seals. */
  kind: 'changed' | 'removed' | 'inserted' | 'reordered' | 'seal' | 'unsealed'
  /** The number of the seal; null for what has none. */
  seal: number | null
  /** The row, or the row after which one is missing. */
  audit_id: string | null
  message: string
}

export interface VerifyReport {
  seals: number
  rows: number
  /** Seals whose rows are deleted, because they were older than `keep_days`. */
  expired: number
  findings: AuditFinding[]
}

export interface VerifyOptions {
  store: AuditStore
  realm: string
  /** Epoch seconds. */
  now: number
  keep_days: number
  /** The published keys of the realm. */
  jwks: JSONWebKeySet
  /** Seals that were kept elsewhere: their compact JWS, by number. */
  kept?: ReadonlyMap<number, string>
}

const PAGE_SEALS = 200
const DAY = 86_400
/** Seconds after which a row has its seal, while a server runs. */
const LATE_SECONDS = 900
/** Findings of one run: the first ones say where to look. */
const MAX_FINDINGS = 100

/** Reads every row that has a seal. */
export async function verifyAudit(options: VerifyOptions): Promise<VerifyReport> {
  const { store, realm, kept = new Map() } = options
  const report: VerifyReport = { seals: 0, rows: 0, expired: 0, findings: [] }
  const found = (finding: AuditFinding | null) => {
    if (finding !== null && report.findings.length < MAX_FINDINGS) report.findings.push(finding)
  }
  let previous: CheckedSeal | null = null
  for (;;) {
    const seals: AuditSeal[] = await store.seals(realm, {
      after: report.seals === 0 ? 0 : last(previous),
      limit: PAGE_SEALS,
    })
    for (const seal of seals) {
      found(missingSeal(seal, previous))
      const checked = checkSeal(seal, previous)
      found(checked.finding)
      found(keptSeal(seal, kept))
      if (seal.expired) {
        report.expired += 1
        found(deletedEarly(seal, options))
      } else {
        const rows = await store.rowsOf(realm, seal.number)
        report.rows += rows.length
        if (checked.finding === null) found(checkRows(rows, { seal, statement: checked.statement, previous }))
      }
      report.seals += 1
      previous = checked
    }
    if (seals.length < PAGE_SEALS) break
  }
  if (previous !== null) found(await checkSignature(previous, options))
  for (const finding of await afterLast(previous, options)) found(finding)
  return report
}

interface CheckedSeal {
  seal: AuditSeal
  statement: SealStatement
  finding: AuditFinding | null
}

const last = (checked: CheckedSeal | null): number => checked?.seal.number ?? 0

const ofSeal = (number: number, message: string): AuditFinding => ({
  kind: 'seal',
  seal: number,
  audit_id: null,
  message,
})

function missingSeal({ number }: AuditSeal, previous: CheckedSeal | null): AuditFinding | null {
  const expected = last(previous) + 1
  return number === expected ? null : ofSeal(expected, `seal ${expected} is missing`)
}

function keptSeal({ number, jws }: AuditSeal, kept: ReadonlyMap<number, string>): AuditFinding | null {
  const own = kept.get(number)
  return own === undefined || own === jws
    ? null
    : ofSeal(number, `seal ${number} differs from the one that was kept elsewhere`)
}

/** Each seal has the hash of the one before, so the signature of the newest one is about all of them. */
function checkSeal(seal: AuditSeal, previous: CheckedSeal | null): CheckedSeal {
  const { realm, number, last_time, jws } = seal
  const statement = statementOf(jws)
  const wanted = previous === null ? null : sha256(previous.seal.jws)
  const problem = () => {
    if (statement === null || statement.realm !== realm || statement.number !== number)
      return `what seal ${number} says was changed`
    if (number > 1 && statement.previous !== wanted && number === last(previous) + 1)
      return `seal ${number} does not follow the one before: one of the two was changed`
    return null
  }
  const message = problem()
  const shown = statement ?? { ...EMPTY, realm, number, sealed_at: last_time }
  return { seal, statement: shown, finding: message === null ? null : ofSeal(number, message) }
}

const EMPTY = { rows: 0, first: null, last: null, sha256: '', previous: null }

export function statementOf(jws: string): SealStatement | null {
  try {
    const payload = partOf(jws, 1) as { statement: SealStatement }
    return typeof payload.statement.number === 'number' ? payload.statement : null
  } catch {
    return null
  }
}

async function checkSignature(
  { seal: { number, jws } }: CheckedSeal,
  { jwks }: VerifyOptions,
): Promise<AuditFinding | null> {
  // The other commands do without it.
  const { compactVerify, createLocalJWKSet } = await import('jose')
  try {
    const { protectedHeader } = await compactVerify(jws, createLocalJWKSet(jwks))
    if (protectedHeader.typ === 'statement+jwt') return null
  } catch {
    // Answered below, with what to do.
  }
  return ofSeal(
    number,
    `seal ${number}, the newest one, is not signed by a published key of the realm: ${keyText(jws)}`,
  )
}

function keyText(jws: string): string {
  try {
    return `its kid is ${kidOf(jws)}`
  } catch {
    return 'it is no JWS'
  }
}

function deletedEarly(
  { number, last_time }: AuditSeal,
  { now, keep_days }: VerifyOptions,
): AuditFinding | null {
  if (last_time <= now - keep_days * DAY) return null
  const message = `the rows of seal ${number} are deleted, and younger than audit.keep_days: someone deleted them, or audit.keep_days was smaller then`
  return { kind: 'removed', seal: number, audit_id: null, message }
}

interface SealOfRows {
  seal: AuditSeal
  statement: SealStatement
  previous: CheckedSeal | null
}

/** The first row that is not as it was sealed. */
function checkRows(
  rows: readonly AuditRow[],
  { seal, statement, previous }: SealOfRows,
): AuditFinding | null {
  const { number } = seal
  const at = (kind: AuditFinding['kind'], audit_id: string | null, message: string): AuditFinding => ({
    kind,
    seal: number,
    audit_id,
    message,
  })
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1]?.audit_id ?? null
    const { audit_id, place } = row
    if (place === null || place <= index || place > statement.rows)
      return at('inserted', audit_id, `row ${audit_id} was inserted into seal ${number}`)
    if (place > index + 1)
      return at(
        'removed',
        before,
        `row ${index + 1} of seal ${number}, ${between(before, audit_id)}, was removed`,
      )
    if (hashOfRow(row) !== row.hash || !hasItsPrivatePart(row))
      return at('changed', audit_id, `row ${audit_id} was changed`)
    if (before !== null && before >= audit_id)
      return at('reordered', audit_id, `row ${audit_id} of seal ${number} is not in its place`)
    if (previous !== null && row.time < previous.statement.sealed_at - LATE_SECONDS)
      return at(
        'inserted',
        audit_id,
        `row ${audit_id} is older than the seal before, and not in it: it was inserted, or a server could not write for long`,
      )
  }
  const end = rows.at(-1)?.audit_id ?? null
  if (rows.length < statement.rows)
    return at(
      'removed',
      end,
      `${statement.rows - rows.length} rows at the end of seal ${number} were removed`,
    )
  const hashes = rows.map(({ hash }) => hash ?? '')
  if (hashOfRows(hashes) === statement.sha256) return null
  return at(
    'changed',
    rows[0]?.audit_id ?? null,
    `rows of seal ${number} were changed, with their hashes: it is not known which`,
  )
}

const between = (before: string | null, after: string): string =>
  before === null ? `before ${after}` : `between ${before} and ${after}`

/** Erased is as good as there. */
const hasItsPrivatePart = (row: AuditRow): boolean =>
  row.private === null || (row.salt !== null && privateHash(row.salt, row.private) === row.private_hash)

/** Rows of a seal that is gone, and rows that nobody has sealed. */
async function afterLast(
  previous: CheckedSeal | null,
  { store, realm, now, kept = new Map() }: VerifyOptions,
): Promise<AuditFinding[]> {
  const next = last(previous) + 1
  const findings: AuditFinding[] = []
  const [marked] = await store.rowsOf(realm, next)
  const newest = Math.max(0, ...kept.keys())
  if (marked || newest >= next) findings.push(ofSeal(next, `seal ${next} is missing`))
  const [open] = await store.unsealed(realm, now - OPEN_SECONDS - LATE_SECONDS, 1)
  if (open)
    findings.push({
      kind: 'unsealed',
      seal: null,
      audit_id: open.audit_id,
      message: `row ${open.audit_id} and later ones have no seal: no server has run with audit.enabled since`,
    })
  return findings
}
