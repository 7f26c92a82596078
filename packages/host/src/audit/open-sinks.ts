/** Deliveries to the receivers of the audit, where the configuration has some. Their package is loaded then. */

import type { Audit } from '@ostiary/audit'
import type { SinkOptions, SinkSettings, Sinks } from '@ostiary/audit-sinks'
import type { HostConfig } from '../config/host-config.js'
import { guardedFetch, hostAndPort } from '../network/guarded-fetch.js'

/** An answer needs no body; that of a refused Security Event Token has the reason. */
const MAX_ANSWER_BYTES = 16 * 1024

interface SinkDependencies
  extends Pick<SinkOptions, 'keysOf' | 'failed'>,
    Required<Pick<SinkOptions, 'now' | 'on_event'>> {
  audit: Audit | null
  /** The database; undefined when the records are in memory. */
  records: Parameters<typeof import('@ostiary/audit-sinks').openSinkStore>[0]
}

/** Null without `audit.sinks`. */
export async function openSinks(
  { audit: settings, audit_sinks: sinks }: Pick<HostConfig, 'audit' | 'audit_sinks'>,
  { audit, records, ...options }: SinkDependencies,
): Promise<Sinks | null> {
  if (sinks === undefined || audit === null) return null
  const { createSinks, openSinkStore } = await import('@ostiary/audit-sinks')
  const store = openSinkStore(records, audit.store)
  const keeps_all = settings?.events === 'all'
  return createSinks({ ...options, sinks, audit: audit.store, store, keeps_all, fetch: sinkFetch })
}

/** Public addresses alone. With `allow_private` also private ones, and this machine; never those of a cloud's metadata. */
export const sinkFetch = ({ url, format, allow_private = false }: SinkSettings): typeof fetch =>
  guardedFetch({
    allow_loopback: allow_private,
    allow_loopback_https: allow_private,
    private_hosts: allow_private ? [hostAndPort(url)] : [],
    max_body_bytes: format === 'set' ? MAX_ANSWER_BYTES : 0,
  })
