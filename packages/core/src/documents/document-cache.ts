/**
 * JSON documents that clients publish: read by https, kept in memory while they are fresh, and then asked for again with
 * their validators. Failures and refused documents are not kept.
 */

import type { FetchDocument, FetchedDocument } from '../ports.js'
import { unlessAborted } from '../unless-aborted.js'
import { DocumentError, fetchFailure } from './document-error.js'
import type { FetchBudgets, FetchCause } from './fetch-budgets.js'
import { ABANDONED_AFTER, freshness } from './freshness.js'

/** Milliseconds, for a `FetchDocument` without a time limit of its own. */
const TOTAL_TIMEOUT = 5_000
/** Seconds after a failed request in which a stale document is used without another one. */
const RETRY_SECONDS = 30
/** A longer `ETag` or `Last-Modified` is not kept. */
const MAX_VALIDATOR_LENGTH = 256

/** A document that was read and accepted. Times are epoch seconds. */
export interface CachedDocument<T> {
  readonly url: string
  /** What `parse` has returned. */
  readonly value: T
  /** The validators of its response (RFC 9110 §8.8); null when it had none. */
  readonly etag: string | null
  readonly last_modified: string | null
  /** When the host last confirmed this document. */
  readonly fetched_at: number
  readonly fresh_until: number
}

/** Why a document is needed. */
export interface DocumentNeed<T = unknown> extends Pick<FetchCause, 'address' | 'in_use'> {
  /** A document that was fetched before this time is asked for again, even if it is fresh. */
  fetched_since?: number
  /** Called once for each request to the host, by the call that causes it. */
  report?(outcome: FetchOutcome<T>): void
}

/** The result of one request to the host: a document, or the error. `previous` is the one before it. */
export type FetchOutcome<T> =
  | { document: CachedDocument<T>; previous: CachedDocument<T> | null }
  | { error: DocumentError }

export interface DocumentCacheOptions<T> {
  realm: string
  fetch_document: FetchDocument
  /** Shared by all caches of a provider. */
  budgets: FetchBudgets
  /** Epoch seconds. */
  now(): number
  /** The largest body, in bytes. */
  max_bytes: number
  /** Documents in memory; the one that was used longest ago is dropped first. */
  max_entries: number
  /** @param text The JSON text. @throws DocumentError for a document that is refused. */
  parse(json: unknown, source: { url: string; text: string }): T
}

export interface DocumentCache<T> {
  /**
   * The document: a fresh one from memory, otherwise from its host. Calls at the same time share one request.
   * @throws DocumentError; OAuthError 429 when a budget is used up
   */
  read(url: string, need: DocumentNeed<T>): Promise<CachedDocument<T>>
  /**
   * As `read`, but a document from memory is used for `max_stale` seconds after its `fetched_at` while its host, or a budget,
   * gives no new one. After a failure the host is not asked for 30 seconds.
   */
  readOrStale(url: string, need: DocumentNeed<T> & { max_stale: number }): Promise<CachedDocument<T>>
  /** What is in memory, fresh or not; no request. */
  peek(url: string): CachedDocument<T> | null
  /** Adds a document from the storage, unless the one in memory is as new. */
  add(document: CachedDocument<T>): void
  /** The number of documents in memory. */
  size(): number
}

interface Entry<T> {
  document: CachedDocument<T>
  /** When the last request for it failed; null: it did not. */
  failed_at: number | null
}

/** At most `max` entries. `used` makes an entry the newest one; above the limit, the oldest is dropped. */
function recentEntries<T>(max: number) {
  const entries = new Map<string, Entry<T>>()
  function keep(url: string, entry: Entry<T>): void {
    entries.delete(url)
    entries.set(url, entry)
    const oldest = entries.keys().next().value
    if (entries.size > max && oldest !== undefined) entries.delete(oldest)
  }
  return {
    get: (url: string) => entries.get(url),
    keep,
    used(url: string): Entry<T> | undefined {
      const entry = entries.get(url)
      if (entry) keep(url, entry)
      return entry
    },
    size: () => entries.size,
  }
}

export function documentCache<T>(options: DocumentCacheOptions<T>): DocumentCache<T> {
  const { now } = options
  const entries = recentEntries<T>(options.max_entries)
  const fetching = new Map<string, { since: number; result: Promise<CachedDocument<T>> }>()

  function keep(document: CachedDocument<T>): CachedDocument<T> {
    entries.keep(document.url, { document: Object.freeze(document), failed_at: null })
    return document
  }

  async function fetchNow(url: string, need: DocumentNeed<T>): Promise<CachedDocument<T>> {
    const previous = entries.get(url)?.document ?? null
    const release = options.budgets.take({
      url,
      realm: options.realm,
      address: need.address,
      in_use: need.in_use,
    })
    try {
      const document = keep(await fetchDocument(options, url, previous))
      need.report?.({ document, previous })
      return document
    } catch (cause) {
      const error = cause instanceof DocumentError ? cause : fetchFailure(cause)
      const entry = entries.get(url)
      if (entry) entry.failed_at = now()
      need.report?.({ error })
      throw error
    } finally {
      release()
    }
  }

  function share(url: string, need: DocumentNeed<T>): Promise<CachedDocument<T>> {
    const under_way = fetching.get(url)
    if (under_way && under_way.since + ABANDONED_AFTER > now()) return under_way.result
    const result = fetchNow(url, need).finally(() => {
      if (fetching.get(url)?.result === result) fetching.delete(url)
    })
    fetching.set(url, { since: now(), result })
    return result
  }

  const isFresh = ({ fetched_at, fresh_until }: CachedDocument<T>, { fetched_since = 0 }: DocumentNeed<T>) =>
    fresh_until > now() && fetched_at >= fetched_since

  async function read(url: string, need: DocumentNeed<T>): Promise<CachedDocument<T>> {
    const entry = entries.used(url)
    return entry && isFresh(entry.document, need) ? entry.document : share(url, need)
  }

  return {
    read,
    async readOrStale(url, { max_stale, ...need }) {
      const entry = entries.get(url)
      if (entry === undefined || entry.document.fetched_at + max_stale <= now()) return read(url, need)
      const has_failed = entry.failed_at !== null && entry.failed_at + RETRY_SECONDS > now()
      if (has_failed) return entry.document
      return read(url, need).catch(() => entry.document)
    },
    peek: (url) => entries.get(url)?.document ?? null,
    add(document) {
      const known = entries.get(document.url)
      if (!known || known.document.fetched_at < document.fetched_at) keep(document)
    },
    size: entries.size,
  }
}

async function fetchDocument<T>(
  { fetch_document, max_bytes, now, parse }: DocumentCacheOptions<T>,
  url: string,
  previous: CachedDocument<T> | null,
): Promise<CachedDocument<T>> {
  const read = async () =>
    fetch_document(url, { max_bytes, accept: 'application/json', headers: conditions(previous) })
  const response = await unlessAborted(AbortSignal.timeout(TOTAL_TIMEOUT), read())
  const { headers } = response
  const times = { fetched_at: now(), fresh_until: now() + freshness(headers, now()) }
  if (response.status === 304 && previous !== null && hasValidator(previous)) return { ...previous, ...times }
  const text = jsonText(response, max_bytes)
  const value = parse(parsedJson(text), { url, text })
  return {
    url,
    value,
    etag: validator(headers.get('etag')),
    last_modified: validator(headers.get('last-modified')),
    ...times,
  }
}

const hasValidator = ({ etag, last_modified }: CachedDocument<unknown>): boolean =>
  etag !== null || last_modified !== null

/** RFC 9110 §13.1.2, §13.1.3. */
function conditions(previous: CachedDocument<unknown> | null): Record<string, string> {
  const headers: Record<string, string> = {}
  if (previous?.etag) headers['if-none-match'] = previous.etag
  if (previous?.last_modified) headers['if-modified-since'] = previous.last_modified
  return headers
}

/** A value that can be sent back as a header. */
const validator = (value: string | null): string | null =>
  value !== null && /^[\x20-\x7e]+$/.test(value) && value.length <= MAX_VALIDATOR_LENGTH ? value : null

/** The body of a usable response. @throws DocumentError */
function jsonText({ status, headers, body }: FetchedDocument, max_bytes: number): string {
  if (status === 404 || status === 410) throw new DocumentError('not_found')
  if (status >= 300 && status < 400) throw new DocumentError('redirected')
  if (status !== 200) throw new DocumentError('http_error')
  if ((headers.get('content-encoding') ?? 'identity') !== 'identity') throw new DocumentError('encoded')
  if (!isJsonType(headers.get('content-type'))) throw new DocumentError('not_json')
  if (body.byteLength > max_bytes) throw new DocumentError('too_large')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new DocumentError('not_json')
  }
}

const isJsonType = (content_type: string | null): boolean =>
  /^application\/(?:json|[\w.!#$&^-]+\+json)[\t ]*(?:;|$)/i.test(content_type ?? '')

/** @throws DocumentError */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new DocumentError('not_json')
  }
}
