/** What is stored of a passkey, and why a response of an authenticator is refused. */

import type { PasskeyAlgorithm } from './public-key.js'

/** Why a response is refused. Each is one check of WebAuthn Level 3 §7.1 or §7.2. */
export type PasskeyFault =
  /** A member is missing, too long or not base64url, or the authenticator data is cut, extended or without the key. */
  | 'passkey_malformed'
  /** The response is of the other ceremony: `webauthn.create` instead of `webauthn.get`, or the reverse. */
  | 'passkey_type'
  | 'passkey_challenge'
  /** Another origin, or a page in a frame of another origin. */
  | 'passkey_origin'
  | 'passkey_rp_id'
  /** The user has not touched the authenticator. */
  | 'user_presence'
  /** The authenticator has not checked PIN or biometrics. */
  | 'user_verification'
  /** The algorithm of the key is not among {@link PasskeyAlgorithm}. The authenticator is not supported. */
  | 'passkey_algorithm'
  /** The browser has not delivered the key, or it is not of the named algorithm, or it is not that of the stored credential. */
  | 'passkey_key'
  | 'passkey_signature'
  /** The signature counter has not grown: the authenticator may have been copied. */
  | 'passkey_counter'
  /** The user handle is missing or is that of another user. */
  | 'passkey_user'
  /** The backup flags contradict each other or what is stored. */
  | 'passkey_backup'

/** What no use changes. Bytes are base64url. */
export type PasskeyData = {
  credential_id: string
  /** SPKI. */
  public_key: string
  algorithm: PasskeyAlgorithm
  /** BE: the passkey may be synchronized between the devices of the user. */
  backup_eligible: boolean
  /** How the browser reaches the authenticator: a hint for a later request. */
  transports: string[]
  /** The model of the authenticator, as a UUID in lower case. Only for a name: without attestation it is not proven. */
  aaguid: string
  /** The RP ID for which the passkey was made. */
  rp_id: string
  user_handle: string
}

/** What a use changes. */
export interface PasskeyState {
  /** The signature counter. 0 for an authenticator without one. */
  counter: number
  /** BS: the passkey is synchronized at present. */
  backed_up: boolean
}

/** A short text of the state: the counter, a space, and 1 for a passkey that is synchronized, else 0. */
export const stateText = ({ counter, backed_up }: PasskeyState): string => `${counter} ${backed_up ? 1 : 0}`

/** Null for a text that {@link stateText} does not make. */
export function stateOf(text: string): PasskeyState | null {
  const [, counter, backed_up] = /^(\d{1,10}) ([01])$/.exec(text) ?? []
  return counter === undefined ? null : { counter: Number(counter), backed_up: backed_up === '1' }
}
