/** The file of an exported realm: a header, one record a line, and a last line with the number of records. */

import { createReadStream } from 'node:fs'
import { REALM_ID } from '@ostiary/core'
import type { RealmRecord } from '@ostiary/storage-postgres'
import * as z from 'zod'
import type { StoredRealm } from '../config/realms/run-time.js'

/** The version of the format. A program refuses a file of a newer one. */
export const EXPORT_VERSION = 1
const MAX_LINE_BYTES = 1_048_576
const MAX_FAULTS = 20

export interface ExportHeader {
  ostiary_export: number
  realm: string
  /** The last step of the schema that the database had. */
  schema: number
  /** ISO 8601. */
  created_at: string
  /** Whether hashes of secrets and passwords, and the encrypted keys, are in the file. */
  with_secrets: boolean
  /** Of a realm that was made at run time. */
  settings?: StoredRealm['settings']
}

/** The file cannot be imported. Each line of the message names one of the file. */
export class RealmFileError extends Error {
  constructor(file: string, faults: readonly LineFault[]) {
    super(faults.map(({ line, fault }) => `${file}, line ${line}: ${fault}`).join('\n'))
    this.name = 'RealmFileError'
  }
}

export interface LineFault {
  line: number
  fault: string
}

const KEYS = z.record(z.string(), z.unknown()).optional()
const header = z.strictObject({
  ostiary_export: z.literal(EXPORT_VERSION),
  realm: z.string().regex(REALM_ID),
  schema: z.number().int().positive(),
  created_at: z.iso.datetime(),
  with_secrets: z.boolean(),
  settings: z.strictObject({ oidc: KEYS, identity: KEYS }).optional(),
})
const newer = z.object({ ostiary_export: z.number().int().gt(EXPORT_VERSION) })
const end = z.strictObject({ kind: z.literal('end'), records: z.number().int().nonnegative() })

/** What is wrong with the first line of a file that this version cannot read. */
export const NEWER_FILE = 'the file is of a newer version of Ostiary: import it with that version'
export const NO_HEADER = 'it is not the header of a file of ostiary export'

/** @returns The header, or what is wrong with the first line. */
export function parseHeader(text: string): ExportHeader | string {
  const value = parseJson(text)
  if (value === undefined) return 'it is not a line of JSON: this is no file of ostiary export'
  if (newer.safeParse(value).success) return NEWER_FILE
  const parsed = header.safeParse(value)
  return parsed.success ? (parsed.data as ExportHeader) : NO_HEADER
}

/** Turns the value of a line into a record, or says what is wrong with it. */
export type RecordCheck = (value: unknown) => Promise<RealmRecord | string>

/** What reading a file needs. */
export interface RealmFileReading {
  file: string
  check: RecordCheck
  /** Negative when the first record comes before the second one. */
  compare(a: RealmRecord, b: RealmRecord): number
}

const BATCH_RECORDS = 500

/**
 * The records in batches, each line checked.
 * @throws RealmFileError for the first 20 faults; batches before the fault were returned already.
 */
export async function* recordBatches({
  file,
  check,
  compare,
}: RealmFileReading): AsyncGenerator<RealmRecord[]> {
  const faults: LineFault[] = []
  let batch: RealmRecord[] = []
  let before: RealmRecord | null = null
  let records = 0
  let ended = false
  let last_line = 1
  for await (const { line, text } of linesOf(file)) {
    last_line = line
    if (line === 1) continue
    if (faults.length === MAX_FAULTS) break
    const value = text === null ? undefined : parseJson(text)
    if (text === null || value === undefined || ended) {
      faults.push({ line, fault: ended ? 'the file goes on after its last line' : lineFault(text) })
      if (ended) break
      continue
    }
    const last = end.safeParse(value)
    if (last.success) {
      ended = true
      if (last.data.records !== records)
        faults.push({ line, fault: `the file has ${records} of ${last.data.records} records` })
      continue
    }
    records += 1
    const record = await check(value)
    if (typeof record === 'string') faults.push({ line, fault: record })
    else if (before !== null && compare(before, record) >= 0)
      faults.push({ line, fault: orderFault(compare(before, record)) })
    else {
      before = record
      batch.push(record)
    }
    if (batch.length === BATCH_RECORDS && faults.length === 0) {
      yield batch
      batch = []
    }
  }
  if (!ended && faults.length === 0)
    faults.push({ line: last_line, fault: 'the file ends here, without its last line: it is not complete' })
  if (faults.length > 0) throw new RealmFileError(file, faults)
  if (batch.length > 0) yield batch
}

const lineFault = (text: string | null): string =>
  text === null ? `it is longer than ${MAX_LINE_BYTES} bytes, or not UTF-8` : 'it is not a line of JSON'

const orderFault = (order: number): string =>
  order === 0 ? 'the record is in the file twice' : 'the records are not sorted as ostiary export sorts them'

/** Undefined for a text that is not JSON, or that could reach a prototype. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (key, value) => {
      if (key === '__proto__') throw new TypeError('A key of this name')
      return value
    })
  } catch {
    return undefined
  }
}

const NEWLINE = 0x0a

/** The text is null for a line that is too long or no UTF-8. Memory holds one line, or one chunk of the file. */
export async function* linesOf(file: string): AsyncGenerator<{ line: number; text: string | null }> {
  let parts: Buffer[] = []
  let size = 0
  let line = 1
  const take = () => {
    const text = size > MAX_LINE_BYTES ? null : decoded(Buffer.concat(parts))
    parts = []
    size = 0
    return { line: line++, text }
  }
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      parts.push(chunk.subarray(from, at))
      size += at - from
      from = at + 1
      yield take()
    }
    size += chunk.length - from
    // The rest of a line that is too long is not kept.
    if (size <= MAX_LINE_BYTES) parts.push(chunk.subarray(from))
    else parts = []
  }
  if (size > 0) yield take()
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function decoded(bytes: Buffer): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}
