/** Reads what the script of the pages sends: RegistrationResponseJSON and AuthenticationResponseJSON (WebAuthn Level 3 §5.1). */

import { MAX_AUTHENTICATOR_DATA_BYTES, MAX_CREDENTIAL_ID_BYTES } from './authenticator-data.js'
import { bytesOfBase64url } from './base64url.js'
import { MAX_CLIENT_DATA_BYTES } from './client-data.js'
import { MAX_KEY_BYTES } from './public-key.js'

/** The largest response has less: authenticator data twice, client data and a key. */
const MAX_RESPONSE_CHARACTERS = 20_480
const MAX_SIGNATURE_BYTES = 1024
/** §4, user handle. */
const MAX_USER_HANDLE_BYTES = 64

type Members = Record<string, unknown>

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null

/** What both ceremonies have. */
interface CommonResponse {
  /** Base64url. */
  credential_id: string
  client_data: Buffer
  authenticator_data: Buffer
}

export interface RegistrationResponse extends CommonResponse {
  /** SPKI. Null when the browser does not know the algorithm: `getPublicKey()` returns null then. */
  public_key: Buffer | null
  algorithm: unknown
  transports: string[]
}

export interface AssertionResponse extends CommonResponse {
  signature: Buffer
  /** Base64url. Null from authenticators that are a second step only. */
  user_handle: string | null
}

/** The value of the form field, as JSON. Null for a text that is too long or no JSON. */
export function parsedResponse(text: string): unknown {
  if (text.length > MAX_RESPONSE_CHARACTERS) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The members of `response`, and what both ceremonies have. Null when a part is missing, too long or not base64url. */
function commonParts(value: unknown): { common: CommonResponse; members: Members } | null {
  if (!isObject(value) || !isObject(value.response)) return null
  const { id, rawId, type, response } = value
  const credential_id = bytesOfBase64url(id, MAX_CREDENTIAL_ID_BYTES)
  const client_data = bytesOfBase64url(response.clientDataJSON, MAX_CLIENT_DATA_BYTES)
  const authenticator_data = bytesOfBase64url(response.authenticatorData, MAX_AUTHENTICATOR_DATA_BYTES)
  if (type !== 'public-key' || rawId !== id) return null
  if (credential_id === null || client_data === null || authenticator_data === null) return null
  return { common: { credential_id: id as string, client_data, authenticator_data }, members: response }
}

/** Null for what is no response of a registration. */
export function registrationResponseOf(value: unknown): RegistrationResponse | null {
  const parts = commonParts(value)
  if (parts === null) return null
  const { publicKey, publicKeyAlgorithm, transports } = parts.members
  const has_key = publicKey !== undefined && publicKey !== null
  const public_key = has_key ? bytesOfBase64url(publicKey, MAX_KEY_BYTES) : null
  if (has_key && public_key === null) return null
  return {
    ...parts.common,
    public_key,
    algorithm: publicKeyAlgorithm,
    transports: knownTransports(transports),
  }
}

/** Null for what is no response of an assertion. */
export function assertionResponseOf(value: unknown): AssertionResponse | null {
  const parts = commonParts(value)
  if (parts === null) return null
  const signature = bytesOfBase64url(parts.members.signature, MAX_SIGNATURE_BYTES)
  const user_handle = parts.members.userHandle ?? null
  if (signature === null) return null
  if (user_handle !== null && bytesOfBase64url(user_handle, MAX_USER_HANDLE_BYTES) === null) return null
  return { ...parts.common, signature, user_handle: user_handle as string | null }
}

/** §5.8.4, and `smart-card`. What is stored is bounded by this list. */
const TRANSPORTS = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal']

const knownTransports = (names: unknown): string[] =>
  Array.isArray(names) ? TRANSPORTS.filter((name) => names.includes(name)) : []
