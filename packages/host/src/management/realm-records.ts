/** Checks the records of an imported file, each by the rules of a record that an operator or a user creates. */

import {
  configFaults,
  formatConfigFault,
  importedClient,
  importedClientDocument,
  importedKey,
  importedTimeFault,
  isStorableText,
  personTag,
  type Realm,
  readBy,
  SealedKeyError,
  type SigningKey,
  sha256,
} from '@ostiary/core'
import { factorImport, importedUserFault, type User } from '@ostiary/identity'
import { passwordHashFault } from '@ostiary/password-hashes'
import type { RealmRecord } from '@ostiary/storage-postgres'
import * as z from 'zod'
import type { ExportHeader, RecordCheck } from './realm-file.js'
import type { Secrets } from './secrets.js'

/** Printable ASCII without spaces. */
const id = z.string().regex(/^[\x21-\x7e]{1,255}$/, '1 to 255 printable ASCII characters')
/** The client_id of a client with a metadata document is longer than others may be. */
const clientIdUrl = z
  .string()
  .max(2048)
  .regex(/^https:\/\/[\x21-\x7e]+$/)
const text = (length: number) =>
  z.string().max(length).refine(isStorableText, 'it holds a NUL or half of a surrogate pair')
const seconds = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)
const base64url = (length: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'not base64url')
    .max(length)
const object = z.record(z.string(), z.unknown())

const line = z.strictObject({ kind: z.string(), record: object })

const user = z.strictObject({
  sub: id,
  username: text(255),
  username_key: text(255),
  password_hash: z.string().max(500).nullable().default(null),
  claims: object,
  attributes: object.nullable(),
  groups: z.array(z.string()).nullable(),
  created_at: seconds,
  updated_at: seconds,
  disabled_at: seconds.nullable(),
  // Absent in a file of an earlier release.
  credential_version: z.int32().nonnegative().default(0),
  second_step: z.boolean().default(false),
  terms: z.strictObject({ version: text(64), accepted_at: seconds }).exactOptional(),
})

/** What a database stores as JSON: no text that it refuses, and not too deep for the stack. */
function isStorable(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  const isMember = ([name, inner]: [string, unknown]) => isStorableText(name) && isStorable(inner, levels - 1)
  return levels > 0 && Object.entries(value).every(isMember)
}

const factor = z
  .strictObject({
    factor_id: id,
    sub: id,
    kind: z.enum(['passkey', 'totp', 'recovery']),
    label: text(255),
    created_at: seconds,
    last_used_at: seconds.nullable(),
    state: text(16_384),
    data: object
      .refine(
        (data) => isStorable(data, 8),
        'it holds a NUL or half of a surrogate pair, or has more than 8 levels',
      )
      .refine((data) => JSON.stringify(data).length <= 16_384, 'more than 16384 characters of JSON'),
  })
  .refine(({ factor_id, sub }) => factor_id.endsWith(personTag(sub)), {
    path: ['factor_id'],
    message: 'it does not end with the tag of its sub',
  })

const link = z.strictObject({
  issuer: text(2048),
  subject: text(255),
  upstream: id,
  sub: id,
  label: text(255),
  linked_at: seconds,
  last_used_at: seconds.nullable(),
})

const consent = z.strictObject({
  sub: id,
  client_id: z.union([id, clientIdUrl]),
  resource: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'printable ASCII without spaces')
    .max(2048),
  scopes: z
    .array(
      z
        .string()
        .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'not a scope')
        .max(2048),
    )
    .max(1000),
  created_at: seconds,
  updated_at: seconds,
  revoked_at: seconds.nullable(),
})

const keyOf = <Alg extends z.ZodType, Jwk extends z.ZodType>(alg: Alg, public_jwk: Jwk) =>
  z.strictObject({
    kid: base64url(43),
    alg,
    public_jwk,
    sealed_private_key: base64url(8192),
    signs_from: seconds,
    created_at: seconds,
  })
/** 32 bytes. */
const coordinate = base64url(43)

/** RFC 7518 §6, RFC 8037 §2. */
const signingKey = z.discriminatedUnion('alg', [
  keyOf(
    z.enum(['RS256', 'PS256']),
    z.strictObject({ kty: z.literal('RSA'), n: base64url(2048), e: base64url(16) }),
  ),
  keyOf(
    z.literal('ES256'),
    z.strictObject({ kty: z.literal('EC'), crv: z.literal('P-256'), x: coordinate, y: coordinate }),
  ),
  keyOf(
    z.literal('EdDSA'),
    z.strictObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: coordinate }),
  ),
])

const deletedUser = z.strictObject({ sub: id })

export interface RecordRules {
  header: ExportHeader
  /** The realm that gets the records. */
  realm: Realm
  secrets: Secrets
  /** Epoch seconds. */
  now: number
}

type Checked = RealmRecord | string | Promise<RealmRecord | string>

export function recordCheck(rules: RecordRules): RecordCheck {
  const unknown_secret_hash = () => sha256(crypto.randomUUID() + crypto.randomUUID())
  const kinds: Record<RealmRecord['kind'], (record: Record<string, unknown>) => Checked> = {
    client(record) {
      const checked = importedClient(record, {
        realm: rules.realm,
        unknown_secret_hash: unknown_secret_hash(),
      })
      if ('client' in checked) return { kind: 'client', record: checked.client }
      return checked.faults.map(({ field, fault }) => `${field}: ${fault}`).join('; ')
    },
    client_document(record) {
      const checked = importedClientDocument(record)
      return typeof checked === 'string' ? checked : { kind: 'client_document', record: checked }
    },
    user(record) {
      const parsed = readBy(user, record)
      return parsed.success ? userRecord(parsed.data) : faultsOf(parsed.error)
    },
    deleted_user: (record) =>
      parsedAs(deletedUser, record, (found) => ({ kind: 'deleted_user', record: found })),
    factor: factorCheck(rules),
    link: (record) => parsedAs(link, record, (found) => ({ kind: 'link', record: found })),
    consent: (record) => parsedAs(consent, record, (found) => ({ kind: 'consent', record: found })),
    async signing_key(record) {
      const parsed = readBy(signingKey, record)
      return parsed.success ? keyRecord(parsed.data, rules) : faultsOf(parsed.error)
    },
  }
  return async (value) => {
    const parsed = line.safeParse(value)
    if (!parsed.success) return 'it is not a record: {"kind": …, "record": {…}}'
    const { kind, record } = parsed.data
    if (!Object.hasOwn(kinds, kind))
      return `a record of an unknown kind, ${JSON.stringify(kind.slice(0, 40))}`
    const secret = SECRET_FIELDS.find((name) => Object.hasOwn(record, name))
    if (!rules.header.with_secrets && secret !== undefined)
      return `${secret}: the header says that the file has no secrets`
    const wrong_time = importedTimeFault(record, rules.now)
    if (wrong_time !== null) return `${kind} ${nameOf(record)}: ${wrong_time.field}: it ${wrong_time.fault}`
    const checked = await kinds[kind as RealmRecord['kind']](record)
    return typeof checked === 'string' ? `${kind} ${nameOf(record)}: ${checked}` : checked
  }
}

/** The hash may be of another system: its user has been imported, and has not signed in yet. */
async function userRecord(record: User): Promise<RealmRecord | string> {
  const { password_hash } = record
  const fault = importedUserFault(record)
  if (fault !== null) return fault
  const hash_fault = password_hash === null ? null : await passwordHashFault(password_hash)
  return hash_fault === null ? { kind: 'user', record } : `password_hash: ${hash_fault}`
}

/** The records that a file without secrets leaves out: a signing key or an authenticator app is of no use without its secret. */
export const isSecret = ({ kind, record }: { kind: string; record: object }): boolean =>
  kind === 'signing_key' || (kind === 'factor' && 'kind' in record && record.kind === 'totp')

/** The fields that it leaves out. */
export const SECRET_FIELDS = ['client_secret_hash', 'password_hash', 'sealed_private_key']

function factorCheck({ header, realm, secrets }: RecordRules) {
  const importFactor = factorImport({
    sealed_for: header.realm,
    realm: realm.id,
    ...secrets,
  })
  return (record: Record<string, unknown>): RealmRecord | string => {
    if (!header.with_secrets && isSecret({ kind: 'factor', record }))
      return 'the header says that the file has no secrets'
    const parsed = readBy(factor, record)
    if (!parsed.success) return faultsOf(parsed.error)
    const imported = importFactor(parsed.data)
    return imported === null
      ? `its secret ${NOT_DECRYPTED}. If its own server cannot decrypt it either, remove it there with \`user factors remove\``
      : { kind: 'factor', record: imported }
  }
}

const NOT_DECRYPTED =
  'cannot be decrypted: set OIDC_SECRET to the secret of the server that it comes from, or OIDC_SECRET_PREVIOUS to encrypt it with OIDC_SECRET anew'

async function keyRecord(
  key: SigningKey,
  { header, realm, secrets }: RecordRules,
): Promise<RealmRecord | string> {
  try {
    const record = await importedKey(key, {
      sealed_for: header.realm,
      realm: realm.id,
      ...secrets,
    })
    return { kind: 'signing_key', record }
  } catch (error) {
    if (error instanceof SealedKeyError) return `it ${NOT_DECRYPTED}`
    if (error instanceof Error) return error.message
    throw error
  }
}

/** The id of a record, for a message. */
const nameOf = ({ client_id, sub, kid, factor_id }: Record<string, unknown>): string =>
  JSON.stringify(String(factor_id ?? kid ?? sub ?? client_id ?? '').slice(0, 255))

function parsedAs<T>(
  schema: z.ZodType<T>,
  record: unknown,
  toRecord: (found: T) => RealmRecord,
): RealmRecord | string {
  const parsed = readBy(schema, record)
  return parsed.success ? toRecord(parsed.data) : faultsOf(parsed.error)
}

const faultsOf = (error: z.ZodError): string => configFaults(error, '').map(formatConfigFault).join('; ')
