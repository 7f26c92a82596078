/**
 * An authenticator and a browser for passkeys, made by hand so that each part of a response can be wrong: WebAuthn Level 3 §6 and §5.1. The
 * responses have the JSON form that the script of the pages sends.
 */

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { cbor } from './cbor.ts'

/** Ed25519, P-256, RSA. */
export type CoseAlgorithm = -8 | -7 | -257

/** A credential in the authenticator. */
export interface Credential {
  credential_id: Buffer
  algorithm: CoseAlgorithm
  private_key: KeyObject
  public_key: KeyObject
  aaguid: Buffer
  /** Base64url. Null for a credential that is a second step only. */
  user_handle: string | null
  /** BE. */
  backup_eligible: boolean
  /** BS. */
  backed_up: boolean
  /** The signature counter of the next response. It stays as it is: a test counts. */
  counter: number
}

/** What the page asks for. */
export interface PasskeyRequest {
  /** Base64url. */
  challenge: string
  origin: string
  rp_id: string
}

type Json = Record<string, unknown>

/** UP, UV, BE, BS, AT and ED. */
export type Flags = Partial<Record<'up' | 'uv' | 'be' | 'bs' | 'at' | 'ed', boolean>>

/** What of a good response is wrong. */
export interface ResponseChange {
  /** Members of the client data: `type`, `challenge`, `origin`, `crossOrigin`, `topOrigin`. Undefined leaves one out. */
  client_data?: Json
  /** Its bytes, from the right ones. They are changed before they are signed. */
  client_data_bytes?: (right: Buffer) => Buffer
  flags?: Flags
  counter?: number
  /** Of the RP ID hash. */
  rp_id?: string
  /** The map of extensions. With it, ED is set. */
  extensions?: Buffer
  /** The credential id in the authenticator data. */
  credential_id?: Buffer
  /** The COSE key in the authenticator data. */
  cose_key?: Buffer
  /** The whole authenticator data, from the right one. It is changed before it is signed. */
  authenticator_data?: (right: Buffer) => Buffer
  /** The signature, from the right one. */
  signature?: (right: Buffer) => Buffer
  /** Members of `response`: `userHandle`, `publicKey`, `publicKeyAlgorithm`, `transports`. Undefined leaves one out. */
  response?: Json
  /** Members beside `response`. */
  members?: Json
}

/** The JSON of a response. */
export interface ResponseJson extends Json {
  id: string
  rawId: string
  type: string
  response: Json & { clientDataJSON: string; authenticatorData: string }
}

const GENERATORS: Record<CoseAlgorithm, () => { privateKey: KeyObject; publicKey: KeyObject }> = {
  '-8': () => generateKeyPairSync('ed25519'),
  '-7': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  '-257': () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
}

/** A credential with a new key, unless it is given one. P-256 without a word on the algorithm. An RSA key takes its time. */
export function passkeyCredential(given: Partial<Credential> = {}): Credential {
  const { algorithm = -7 } = given
  const { private_key, public_key } = given
  const keys = private_key && public_key ? { private_key, public_key } : newKeys(algorithm)
  const credential = {
    credential_id: randomBytes(16),
    aaguid: Buffer.alloc(16),
    user_handle: null,
    backup_eligible: false,
    backed_up: false,
    counter: 1,
  }
  return Object.assign(credential, given, keys, { algorithm })
}

function newKeys(algorithm: CoseAlgorithm): Pick<Credential, 'private_key' | 'public_key'> {
  const { privateKey: private_key, publicKey: public_key } = GENERATORS[algorithm]()
  return { private_key, public_key }
}

/** `RegistrationResponseJSON`. */
export function registrationResponse(
  credential: Credential,
  request: PasskeyRequest,
  change: ResponseChange = {},
): ResponseJson {
  const authenticator_data = changed(
    Buffer.concat([
      dataHead(credential, request.rp_id, { change, at: true }),
      attestedCredential(credential, change),
      change.extensions ?? Buffer.alloc(0),
    ]),
    change.authenticator_data,
  )
  const parts = {
    clientDataJSON: base64url(clientData('webauthn.create', request, change)),
    authenticatorData: base64url(authenticator_data),
    publicKey: base64url(spkiOf(credential.public_key)),
    publicKeyAlgorithm: credential.algorithm,
    transports: ['internal', 'hybrid'],
  }
  return responseJson(credential, Object.assign(parts, change.response), change)
}

/** `AuthenticationResponseJSON`. */
export function assertionResponse(
  credential: Credential,
  request: PasskeyRequest,
  change: ResponseChange = {},
): ResponseJson {
  const authenticator_data = changed(
    Buffer.concat([
      dataHead(credential, request.rp_id, { change, at: false }),
      change.extensions ?? Buffer.alloc(0),
    ]),
    change.authenticator_data,
  )
  const client_data = clientData('webauthn.get', request, change)
  const signed = Buffer.concat([authenticator_data, sha256(client_data)])
  const parts = {
    clientDataJSON: base64url(client_data),
    authenticatorData: base64url(authenticator_data),
    signature: base64url(changed(signatureBy(credential, signed), change.signature)),
    userHandle: credential.user_handle ?? undefined,
  }
  return responseJson(credential, Object.assign(parts, change.response), change)
}

function responseJson(
  { credential_id }: Credential,
  response: ResponseJson['response'],
  { members }: ResponseChange,
): ResponseJson {
  const id = base64url(credential_id)
  const json = { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  return Object.assign(json, members)
}

/** Signs as the authenticator does: DER for P-256. */
export const signatureBy = ({ algorithm, private_key }: Credential, bytes: Buffer): Buffer =>
  sign(algorithm === -8 ? null : 'sha256', bytes, { key: private_key, dsaEncoding: 'der' })

/** Kept, because an export takes longer than a signature. */
const spkis = new WeakMap<KeyObject, Buffer>()

function spkiOf(key: KeyObject): Buffer {
  const spki = spkis.get(key) ?? key.export({ format: 'der', type: 'spki' })
  spkis.set(key, spki)
  return spki
}

/** The key as the authenticator data has it: RFC 9052 §7. */
export function coseKeyOf({ algorithm, public_key }: Pick<Credential, 'algorithm' | 'public_key'>): Buffer {
  const { crv, e, kty, n, x, y } = public_key.export({ format: 'jwk' })
  const bytes = (text = ''): Buffer => Buffer.from(text, 'base64url')
  const key = new Map<number, number | Buffer>([
    [1, { OKP: 1, EC: 2, RSA: 3 }[kty ?? ''] ?? 0],
    [3, algorithm],
  ])
  if (kty === 'RSA') key.set(-1, bytes(n)).set(-2, bytes(e))
  else key.set(-1, crv === 'Ed25519' ? 6 : 1).set(-2, bytes(x))
  if (kty === 'EC') key.set(-3, bytes(y))
  return cbor(key)
}

/** RP ID hash, flags and counter. */
function dataHead(
  credential: Credential,
  rp_id: string,
  { change, at }: { change: ResponseChange; at: boolean },
): Buffer {
  const head = Buffer.alloc(37)
  sha256(change.rp_id ?? rp_id).copy(head)
  const { backup_eligible: be, backed_up: bs } = credential
  head[32] = flagByte({
    up: true,
    uv: true,
    be,
    bs,
    at,
    ed: change.extensions !== undefined,
    ...change.flags,
  })
  head.writeUInt32BE(change.counter ?? credential.counter, 33)
  return head
}

const FLAG_BITS: Record<keyof Flags, number> = { up: 0, uv: 2, be: 3, bs: 4, at: 6, ed: 7 }

const flagByte = (flags: Flags): number =>
  Object.entries(FLAG_BITS).reduce(
    (byte, [name, bit]) => (flags[name as keyof Flags] ? byte | (1 << bit) : byte),
    0,
  )

function attestedCredential(credential: Credential, change: ResponseChange): Buffer {
  const credential_id = change.credential_id ?? credential.credential_id
  const length = Buffer.alloc(2)
  length.writeUInt16BE(credential_id.length)
  return Buffer.concat([credential.aaguid, length, credential_id, change.cose_key ?? coseKeyOf(credential)])
}

function clientData(type: string, { challenge, origin }: PasskeyRequest, change: ResponseChange): Buffer {
  const members = { type, challenge, origin, crossOrigin: false }
  const right = Buffer.from(JSON.stringify(Object.assign(members, change.client_data)))
  return changed(right, change.client_data_bytes)
}

const changed = (right: Buffer, change: ((right: Buffer) => Buffer) | undefined): Buffer =>
  change ? change(right) : right

const sha256 = (value: string | Buffer): Buffer => createHash('sha256').update(value).digest()
const base64url = (bytes: Buffer): string => bytes.toString('base64url')

/** A user handle of the length that Ostiary makes, base64url: random bytes, and the tag of the user at the end. */
export const newUserHandle = (sub_tag: string): string =>
  base64url(Buffer.concat([randomBytes(32), Buffer.from(sub_tag, 'ascii')]))
