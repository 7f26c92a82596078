/** A client for output, without the hash of its secret. */

import type { Client } from '@ostiary/core'
import { iso, printable, record } from '../output.js'

export function clientJson({ client_secret_hash: _, ...client }: Client): Omit<Client, 'client_secret_hash'> {
  return client
}

export const stateOf = ({ revoked_at }: Client): string =>
  revoked_at === null ? 'live' : `revoked ${iso(revoked_at)}`

export function clientText(client: Client, client_secret: string | null = null): string {
  const { client_secret_hash: _, client_id_issued_at, revoked_at, ...fields } = client
  const rows = Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    const empty = value === null || (Array.isArray(value) && value.length === 0)
    return empty ? [] : [[name, printable(Array.isArray(value) ? value.join(' ') : String(value))]]
  })
  return record([
    ...rows,
    ['issued_at', iso(client_id_issued_at)],
    ...(revoked_at === null ? [] : [['revoked_at', iso(revoked_at)] as const]),
    ...(client_secret === null ? [] : [['client_secret', client_secret] as const]),
  ])
}
