/** What the commands do. */

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { AuditRow, AuditSeal } from '@ostiary/audit'
import { dataOf, idAt, privateOf } from '@ostiary/audit/rows'
import type { JSONWebKeySet } from 'jose'
import type { AuditInput, AuditOutput, AuditResult } from './command-types.js'
import { showDifference, showRecord } from './history/show.js'
import { undo } from './history/undo.js'
import { iso, secondsOf, textOf } from './output.js'
import { type AuditPlace, type HistoryPlace, type RecordsPlace, type RowsPlace, requireRow } from './place.js'
import { storyText } from './story-text.js'
import { statementOf, verifyAudit } from './verify.js'

type Run = (place: HistoryPlace, input: AuditInput, output: AuditOutput) => Promise<AuditResult>

/** By the names of the commands. */
export const RUNS = {
  'audit list': list,
  'audit show': show,
  'audit record': showRecord,
  'audit diff': showDifference,
  'audit undo': undo,
  'audit export': exportRows,
  'audit verify': verify,
  'audit seals': seals,
  explain: tell,
} satisfies Record<string, Run>

const MAX_LIMIT = 1000
const PAGE = 1000

async function list(place: RowsPlace, input: AuditInput): Promise<AuditResult> {
  const limit = limitOf(place, input)
  const names = { sub: 'sub', client_id: 'client', actor: 'actor', type: 'type' } as const
  const filter = Object.fromEntries(
    Object.entries(names).flatMap(([name, option]) => {
      const value = input.text(option)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const since = secondsOf(place, input, 'since')
  const before = input.text('before')
  const found = await place.store.list(place.realm, {
    filter: { ...filter, ...(since !== undefined && { since }) },
    ...(before !== undefined && { before }),
    limit: limit + 1,
  })
  const rows = found.slice(0, limit)
  const next = found.length > limit ? rows.at(-1)?.audit_id : undefined
  return {
    text: place.table([
      ['ID', 'TIME', 'TYPE', 'OUTCOME', 'ACTOR', 'USER', 'CLIENT', 'ADDRESS', 'MORE'],
      ...rows.map(lineOf),
    ]),
    json: { rows: rows.map(shown), next: next ?? null },
    ...(next !== undefined && { note: `There are more: continue with --before ${next}` }),
  }
}

function limitOf({ errors }: RowsPlace, input: AuditInput): number {
  const text = input.text('limit') ?? '50'
  const limit = Number(text)
  if (/^\d{1,4}$/.test(text) && limit >= 1 && limit <= MAX_LIMIT) return limit
  throw errors.usageError('--limit: give a number from 1 to 1000')
}

function lineOf(row: AuditRow): string[] {
  const { audit_id, time, type, outcome, actor, sub, client_id, count } = row
  const { reason, fields } = dataOf(row)
  const more = [
    reason,
    Array.isArray(fields) ? fields.join(' ') : undefined,
    count > 1 ? `${count} times` : undefined,
  ]
  return [
    audit_id,
    iso(time),
    type,
    outcome,
    actor,
    sub ?? '-',
    client_id ?? '-',
    privateOf(row).address ?? '-',
    more.filter((text) => text !== undefined).join(', '),
  ]
}

/** A row as it is printed as JSON: with its parts read, and without their hashes. */
function shown({ data: _, private: hidden, salt, private_hash, ...row }: AuditRow) {
  const data = JSON.parse(_)
  const erased = hidden === null && private_hash !== null
  return { ...row, data, ...JSON.parse(hidden ?? '{}'), ...(erased && salt === null && { erased }) }
}

async function show(place: RowsPlace, { args: [id = ''] }: AuditInput): Promise<AuditResult> {
  const json = shown(await requireRow(place, id))
  const { time, data, before, after, ...plain } = json
  const lines = Object.entries({ ...plain, ...data }).flatMap(([name, value]) => {
    const is_empty = value === null || (Array.isArray(value) && value.length === 0)
    return is_empty ? [] : [[name, textOf(value)]]
  })
  const changed = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const changes = changed.map((name) => [name, textOf(before?.[name]), textOf(after?.[name])])
  const text = [place.table([['time', iso(time)], ...lines])]
  if (changes.length > 0) text.push('', place.table([['MEMBER', 'BEFORE', 'AFTER'], ...changes]))
  return { text: text.join('\n'), json }
}

async function exportRows(place: AuditPlace, input: AuditInput, output: AuditOutput): Promise<AuditResult> {
  const { realm, store } = place
  const from = secondsOf(place, input, 'from')
  const to = secondsOf(place, input, 'to')
  let after = from === undefined ? '' : idAt(from * 1000)
  const until = to === undefined ? {} : { until: idAt(to * 1000) }
  for (;;) {
    const rows = await store.page(realm, { after, ...until, limit: PAGE })
    await output.out(rows.map((row) => `${JSON.stringify({ kind: 'row', ...row })}\n`).join(''))
    if (rows.length < PAGE) break
    after = rows.at(-1)?.audit_id ?? after
  }
  await eachSeal(place, 0, ({ number, jws }) =>
    output.out(`${JSON.stringify({ kind: 'seal', number, jws })}\n`),
  )
  return { text: '', json: undefined }
}

async function eachSeal(
  { realm, store }: AuditPlace,
  since: number,
  write: (seal: AuditSeal) => Promise<void> | void,
): Promise<void> {
  let after = since
  for (;;) {
    const page = await store.seals(realm, { after, limit: PAGE })
    for (const seal of page) await write(seal)
    if (page.length < PAGE) return
    after = page.at(-1)?.number ?? after
  }
}

async function seals(place: AuditPlace, input: AuditInput, output: AuditOutput): Promise<AuditResult> {
  const since = Number(input.text('since') ?? '0')
  if (!Number.isInteger(since) || since < 0)
    throw place.errors.usageError('--since: give the number of a seal')
  await eachSeal(place, since, ({ number, jws }) =>
    output.out(`${JSON.stringify({ kind: 'seal', ...statementOf(jws), number, jws })}\n`),
  )
  return { text: '', json: undefined }
}

async function verify(place: AuditPlace, input: AuditInput, { cwd }: AuditOutput): Promise<AuditResult> {
  const { realm, store, keep_days, errors } = place
  const file = input.text('seals')
  const kept = file === undefined ? new Map<number, string>() : await keptSeals(resolve(cwd, file), errors)
  const jwks = await jwksOf(place)
  const now = Math.floor(Date.now() / 1000)
  const report = await verifyAudit({ store, realm, now, keep_days, jwks, kept })
  const { findings, rows, expired } = report
  const checked = `Checked: seals ${report.seals}, rows ${rows}, expired seals ${expired}`
  const lines = findings.map(({ kind, message }) => `${kind}: ${message}`)
  return {
    text: [checked, ...(findings.length === 0 ? ['Nothing was changed'] : lines)].join('\n'),
    json: report,
    code: findings.length === 0 ? 0 : 1,
  }
}

async function jwksOf({ realm, provider }: AuditPlace): Promise<JSONWebKeySet> {
  const answer = await provider.handle('oidc.jwks', new Request(provider.url('oidc.jwks', { realm })), {
    realm,
  })
  return (await answer.json()) as JSONWebKeySet
}

async function keptSeals(file: string, errors: AuditPlace['errors']): Promise<Map<number, string>> {
  try {
    const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
    const kept = lines.map((line) => JSON.parse(line) as { kind: string; number: number; jws: string })
    return new Map(kept.filter(({ kind }) => kind === 'seal').map(({ number, jws }) => [number, jws]))
  } catch (error) {
    const { message } = error as Error
    throw errors.usageError(`--seals: ${file} has no JSON lines of seals: ${message}`)
  }
}

async function tell(
  { errors, management, users, stories: find }: RecordsPlace,
  { args: [name = ''] }: AuditInput,
): Promise<AuditResult> {
  const stories = await find(name)
  if (stories.length === 0)
    throw errors.notFound(
      `The audit has nothing of ${JSON.stringify(name)}: it is of another realm, older than audit.keep_days, or of an event that only audit.events "all" keeps`,
    )
  const texts = await Promise.all(
    stories.map(async (story) => {
      const [client, user] = await Promise.all([
        story.client_id === null ? null : management.clients.find(story.client_id),
        story.sub === null ? null : users.find(story.sub),
      ])
      return storyText(story, { client, user })
    }),
  )
  return { text: texts.join('\n\n'), json: { stories } }
}
