/**
 * JSON documents that clients publish: read by https, kept in memory while they are fresh, and then asked for again with
 * their validators. A failure and a refused document are remembered too: until the next attempt they are the answer.
 */

import type { FetchDocument, FetchedDocument } from '../realm/ports.js'
import { DocumentError, fetchFailure } from '../refusals/document-error.js'
import { utf8Text } from '../util/base64url.js'
import { parseUniqueJson } from '../util/unique-json.js'
import { unlessAborted } from '../util/unless-aborted.js'
import type { FetchBudgets, FetchCause } from './fetch-budgets.js'
import { ABANDONED_AFTER, freshness } from './freshness.js'
import { recentValues } from './recent-values.js'

/** Milliseconds, for a `FetchDocument` without a time limit of its own. */
const TOTAL_TIMEOUT = 5_000
/** Seconds after a failed request without another one. Each further failure doubles them. */
const FIRST_RETRY_SECONDS = 30
const MAX_RETRY_SECONDS = 240
/**
 * Failures in memory. More cannot wait at a time: in the five minutes that 240 seconds can touch, the budgets of a realm admit
 * three times 120 requests a minute.
 */
const MAX_FAILURES = 1_800
/** Seconds after its `fresh_until` for which a document is used while a budget of ours keeps its host from being asked. */
const MAX_STALE_OVER_BUDGET = 300
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
export interface DocumentNeed<T = unknown> extends Pick<FetchCause, 'address' | 'used_by'> {
  /** This document is not enough, even if it is fresh: its host is asked again, unless another one is in memory by now. */
  newer_than?: CachedDocument<T>
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
   * The document: a fresh one from memory, otherwise from its host. Calls at the same time share one request. After a failure
   * the host is not asked for 30 seconds, then for twice as long, up to four minutes.
   * @throws DocumentError, of the request or of the last one; OAuthError 429 when a budget is used up
   */
  read(url: string, need: DocumentNeed<T>): Promise<CachedDocument<T>>
  /**
   * As `read`, but a document from memory is used for `max_stale` seconds after its `fetched_at` while its host gives no new
   * one. When a budget is used up, the host may well have a new one: then the document is used for five minutes after its
   * `fresh_until`.
   */
  readOrStale(url: string, need: DocumentNeed<T> & { max_stale: number }): Promise<CachedDocument<T>>
  /** What is in memory, fresh or not; no request. */
  peek(url: string): CachedDocument<T> | null
  /** Adds a document from the storage, unless the one in memory is as new. */
  add(document: CachedDocument<T>): void
  /** The number of documents in memory. */
  size(): number
}

interface Failure {
  error: DocumentError
  /** Seconds from the failure to the next request. */
  wait: number
  until: number
}

function rememberedFailures(now: () => number) {
  const failures = recentValues<Failure>(MAX_FAILURES)
  return {
    keep(url: string, error: DocumentError): void {
      const last = failures.get(url)
      const wait = last === undefined ? FIRST_RETRY_SECONDS : Math.min(last.wait * 2, MAX_RETRY_SECONDS)
      failures.keep(url, { error, wait, until: now() + wait })
    },
    delete: failures.delete,
    /** Null when the host may be asked again. */
    current(url: string): DocumentError | null {
      const failure = failures.get(url)
      return failure !== undefined && failure.until > now() ? failure.error : null
    },
  }
}

export function documentCache<T>(options: DocumentCacheOptions<T>): DocumentCache<T> {
  const { now } = options
  const documents = recentValues<CachedDocument<T>>(options.max_entries)
  const failures = rememberedFailures(now)
  const fetching = new Map<string, { since: number; result: Promise<CachedDocument<T>> }>()

  function keep(document: CachedDocument<T>): CachedDocument<T> {
    documents.keep(document.url, Object.freeze(document))
    return document
  }

  async function fetchNow(url: string, need: DocumentNeed<T>): Promise<CachedDocument<T>> {
    const previous = documents.get(url) ?? null
    const { address, used_by } = need
    const release = options.budgets.take({ url, realm: options.realm, address, used_by })
    try {
      const document = keep(await fetchDocument(options, url, previous))
      failures.delete(url)
      need.report?.({ document, previous })
      return document
    } catch (cause) {
      const error = cause instanceof DocumentError ? cause : fetchFailure(cause)
      failures.keep(url, error)
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

  const isFresh = (document: CachedDocument<T>, { newer_than }: DocumentNeed<T>) =>
    document.fresh_until > now() && document !== newer_than

  async function read(url: string, need: DocumentNeed<T>): Promise<CachedDocument<T>> {
    const document = documents.used(url)
    if (document !== undefined && isFresh(document, need)) return document
    const failure = failures.current(url)
    if (failure !== null) throw failure
    return share(url, need)
  }

  return {
    read,
    readOrStale: (url, { max_stale, ...need }) =>
      read(url, need).catch((error: unknown) => {
        const document = documents.get(url)
        if (document === undefined || document.fetched_at + max_stale <= now()) throw error
        const is_outage = error instanceof DocumentError
        if (is_outage || document.fresh_until + MAX_STALE_OVER_BUDGET > now()) return document
        throw error
      }),
    peek: (url) => documents.get(url) ?? null,
    add(document) {
      const known = documents.get(document.url)
      if (!known || known.fetched_at < document.fetched_at) keep(document)
    },
    size: documents.size,
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
    return utf8Text(body)
  } catch {
    throw new DocumentError('not_json')
  }
}

const isJsonType = (content_type: string | null): boolean =>
  /^application\/(?:json|[\w.!#$&^-]+\+json)[\t ]*(?:;|$)/i.test(content_type ?? '')

/** @throws DocumentError, for a text with a repeated member too */
export function parsedJson(text: string): unknown {
  try {
    return parseUniqueJson(text)
  } catch {
    throw new DocumentError('not_json')
  }
}
