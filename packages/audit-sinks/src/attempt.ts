/** One delivery of one row. */

import type { AuditRow } from '@ostiary/audit'
import { unlessAborted } from '@ostiary/core/common'
import { type EventKeys, refusalIn, securityEventOf } from './security-event.js'
import type { SinkSettings } from './settings.js'
import { type OutboundMessage, webhookOf } from './webhook.js'

/** The time limit of an attempt, with the look-up of the name of the host. */
const ATTEMPT_MS = 10_000
const ACCEPTED = 202

/** How an attempt has ended. */
export type Outcome =
  | { is: 'delivered' }
  /** `is_final`: the receiver would refuse the same row again. */
  | { is: 'failed'; reason: string; is_final: boolean }
  /** This server stops. */
  | { is: 'stopped' }

export interface Attempt {
  sink: SinkSettings
  /** Reaches the receiver, and no other host. */
  fetch: typeof fetch
  keys(): Promise<EventKeys>
  /** Epoch seconds. */
  now: number
  /** This server stops. */
  stopped: AbortSignal
}

export async function attempt(row: AuditRow, { sink, fetch, keys, now, stopped }: Attempt): Promise<Outcome> {
  const message = await messageOf(row, { sink, keys, now }).catch(() => null)
  if (message === null) return failed('not_signed')
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), ATTEMPT_MS)
  const signal = AbortSignal.any([stopped, limit.signal])
  try {
    const request = fetch(sink.url, { method: 'POST', ...message, redirect: 'manual', signal })
    // An implementation of fetch may ignore the signal, for example while it resolves a name.
    return await unlessAborted(
      signal,
      request.then((response) => outcomeOf(sink, response)),
    )
  } catch (error) {
    if (stopped.aborted) return { is: 'stopped' }
    return failed(limit.signal.aborted ? 'timeout' : reasonOf(error))
  } finally {
    clearTimeout(timer)
  }
}

const failed = (reason: string, is_final = false): Outcome => ({ is: 'failed', reason, is_final })

function messageOf(
  row: AuditRow,
  { sink, keys, now }: Pick<Attempt, 'sink' | 'keys' | 'now'>,
): Promise<OutboundMessage> {
  if (sink.format === 'json') return webhookOf(row, { secret: sink.secret ?? '', now })
  return keys().then((own) => securityEventOf(row, { url: sink.url, keys: own }))
}

async function outcomeOf({ format }: SinkSettings, response: Response): Promise<Outcome> {
  const { status, ok } = response
  if (format === 'json' ? ok : status === ACCEPTED) {
    response.body?.cancel().catch(() => {})
    return { is: 'delivered' }
  }
  const refusal = format === 'set' && status === 400 ? refusalIn(await response.text()) : null
  response.body?.cancel().catch(() => {})
  // RFC 8935 §2: a token is sent again when the reason may pass. One that is malformed for the receiver stays so.
  return refusal === null
    ? failed(`status_${status}`)
    : failed(`err_${refusal}`, refusal === 'invalid_request')
}

/** A code of the runtime or of the host's fetch. Any other text could repeat what the receiver or its DNS sent. */
function reasonOf(error: unknown): string {
  const { code, message, cause } = (error ?? {}) as { code?: unknown; message?: unknown; cause?: unknown }
  const found = [code, message].find((text) => typeof text === 'string' && /^\w{1,64}$/.test(text))
  if (typeof found === 'string') return found
  return cause instanceof Error ? reasonOf(cause) : 'unreachable'
}
