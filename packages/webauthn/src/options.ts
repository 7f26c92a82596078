/** What a page asks the browser for: the JSON forms of WebAuthn Level 3 §5.1.9 and §5.1.10, and of §5.1.10.3 for the signal. */

import type { PasskeyData } from './passkey.js'
import { PASSKEY_ALGORITHMS } from './public-key.js'

interface Descriptor {
  type: 'public-key'
  id: string
  transports: string[]
}

/** A credential by which a passkey is named to the browser. */
type Named = Pick<PasskeyData, 'credential_id' | 'transports'>

/** What a registration is for. */
export interface CreationRequest {
  /** Base64url. */
  challenge: string
  rp: { id: string; name: string }
  user: {
    /** The user handle: that of the user's other passkeys, else a new one. */
    handle: string
    /** The user name, which the browser shows at a choice between accounts. */
    name: string
    display_name: string
  }
  /** The passkeys of the account: an authenticator that has one refuses to make another. */
  exclude: readonly Named[]
  /** In milliseconds: as long as the challenge is good. */
  timeout: number
}

/** `PublicKeyCredentialCreationOptionsJSON`. */
export interface CreationOptions {
  challenge: string
  rp: { id: string; name: string }
  user: { id: string; name: string; displayName: string }
  pubKeyCredParams: { type: 'public-key'; alg: number }[]
  authenticatorSelection: {
    residentKey: 'required'
    /** For browsers of Level 1. */
    requireResidentKey: true
    userVerification: 'required'
  }
  attestation: 'none'
  excludeCredentials: Descriptor[]
  timeout: number
}

/** The options of a registration: a discoverable credential, and a check of the user. */
export const creationOptions = ({
  challenge,
  rp,
  user,
  exclude,
  timeout,
}: CreationRequest): CreationOptions => ({
  challenge,
  rp: { id: rp.id, name: rp.name },
  user: { id: user.handle, name: user.name, displayName: user.display_name },
  pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  attestation: 'none',
  excludeCredentials: exclude.map(descriptor),
  timeout,
})

/** What an assertion is for. */
export interface AssertionRequest {
  /** Base64url. */
  challenge: string
  rp_id: string
  /** The passkeys of the account, for a second step. Empty for a sign-in: then the user chooses among those that the browser has. */
  allow: readonly Named[]
  /** In milliseconds: as long as the challenge is good. */
  timeout: number
}

/** `PublicKeyCredentialRequestOptionsJSON`. */
export interface RequestOptions {
  challenge: string
  rpId: string
  allowCredentials: Descriptor[]
  userVerification: 'required'
  timeout: number
}

/** The options of a sign-in or of a second step. */
export const requestOptions = ({ challenge, rp_id, allow, timeout }: AssertionRequest): RequestOptions => ({
  challenge,
  rpId: rp_id,
  allowCredentials: allow.map(descriptor),
  userVerification: 'required',
  timeout,
})

const descriptor = ({ credential_id, transports }: Named): Descriptor => ({
  type: 'public-key',
  id: credential_id,
  transports,
})

/** The passkeys of an account, of which the browser may remove all others: `AllAcceptedCredentialsOptions`. */
export interface AcceptedCredentials {
  rpId: string
  userId: string
  allAcceptedCredentialIds: string[]
}

/**
 * What the page tells the browser after a passkey was removed. The caller reads the list after the removal: browsers delete the passkeys
 * that it lacks. The RP ID and the user handle are those of the removed one, so that the list may be empty.
 */
export const acceptedCredentials = (
  { rp_id, user_handle }: Pick<PasskeyData, 'rp_id' | 'user_handle'>,
  remaining: readonly PasskeyData[],
): AcceptedCredentials => ({
  rpId: rp_id,
  userId: user_handle,
  allAcceptedCredentialIds: remaining
    .filter((passkey) => passkey.rp_id === rp_id && passkey.user_handle === user_handle)
    .map(({ credential_id }) => credential_id),
})
