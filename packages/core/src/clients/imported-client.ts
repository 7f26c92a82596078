/** A client record from a file, by the rules of a client that an operator creates. */

import * as z from 'zod'
import { configFaults } from '../config/faults.js'
import type { Realm } from '../realm/realm.js'
import type { Client } from '../storage/storage.js'
import { readBy } from '../util/schema-text.js'
import { clientFaults, clientInput, clientRecord } from './client-input.js'
import { type ClientFault, hasKeys } from './client-method.js'

const seconds = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)

/** The fields that no operator sets. */
const history = z.object({
  /** base64url SHA-256. */
  client_secret_hash: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .nullable()
    .optional(),
  origin: z.enum(['operator', 'registered']),
  client_id_issued_at: seconds,
  expires_at: seconds.nullable(),
  revoked_at: seconds.nullable(),
  /** A file of an earlier release has none. */
  not_before: seconds.nullable().default(null),
})
const HISTORY = Object.keys(history.shape)

/** Of `importedClient`. */
export interface ImportOptions {
  /** The realm that gets the client. */
  realm: Realm
  /** The hash for a confidential client whose record has none: of a secret that no caller knows. */
  unknown_secret_hash: string
}

/** The record to store, or what is wrong with the fields. */
export type ImportedClient = { client: Client } | { faults: ClientFault[] }

/**
 * Null and a missing field both mean the default. A client that is revoked or deleted need not fit the realm's settings.
 * @param given Of JSON: any value.
 */
export function importedClient(
  given: Readonly<Record<string, unknown>>,
  { realm, unknown_secret_hash }: ImportOptions,
): ImportedClient {
  const record = withOrigin(given)
  const stored = readBy(history, record)
  if (!stored.success) return { faults: faultsOf(stored.error) }
  const { client_secret_hash = null, ...times } = stored.data
  const described = Object.entries(record).filter(
    ([name, value]) => value !== null && !HISTORY.includes(name),
  )
  const is_deleted = times.revoked_at !== null && record.client_name === ''
  const input = readBy(
    clientInput,
    Object.fromEntries(is_deleted ? described.filter(([name]) => name !== 'client_name') : described),
  )
  if (!input.success) return { faults: faultsOf(input.error) }
  const { token_endpoint_auth_method: method = 'none' } = input.data
  const has_secret = method !== 'none' && !hasKeys(input.data)
  const hash = client_secret_hash ?? (has_secret && !is_deleted ? unknown_secret_hash : null)
  const faults = times.revoked_at === null ? clientFaults(realm, input.data, hash !== null) : []
  if (faults.length > 0) return { faults }
  const client = clientRecord(input.data, { client_secret_hash: hash, now: times.client_id_issued_at })
  return { client: { ...client, ...times, ...(is_deleted && { client_name: '' }) } }
}

/** A file of an earlier release says in `self_registered` who described the client. */
function withOrigin(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { self_registered, ...rest } = record
  if (typeof self_registered !== 'boolean') return record
  return { origin: self_registered ? 'registered' : 'operator', ...rest }
}

const faultsOf = (error: z.ZodError): ClientFault[] =>
  configFaults(error, '').map(({ path, message }) => ({ field: path, fault: message }))
