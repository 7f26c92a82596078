/**
 * The two ceremonies of a passkey: WebAuthn Level 3 §7.1 and §7.2. Attestation is `none`, and the browser delivers the key as SPKI, so that
 * neither CBOR nor X.509 is read. The functions know no storage: the caller finds the passkey, compares and sets its state, and spends the
 * challenge.
 */

import { createHash } from 'node:crypto'
import {
  type AuthenticatorData,
  attestedCredentialOf,
  authenticatorDataOf,
  authenticatorFault,
  type ExpectedAuthenticator,
  endsWell,
} from './authenticator-data.js'
import { clientDataFault } from './client-data.js'
import { coseKey } from './cose-key.js'
import { type PasskeyData, type PasskeyFault, stateOf, stateText } from './passkey.js'
import { isAlgorithm, isSigned, publicKeyOf } from './public-key.js'
import {
  type AssertionResponse,
  assertionResponseOf,
  type RegistrationResponse,
  registrationResponseOf,
} from './response.js'

interface Expected extends ExpectedAuthenticator {
  /** Base64url, as it was in the options. */
  challenge: string
  /** Exact: scheme, host, and the port if it is not that of the scheme. */
  origin: string
}

/** What the response of a registration has to fit. */
export interface ExpectedRegistration extends Expected {
  /** That of the options, for the record. */
  user_handle: string
}

/** What the response of a sign-in has to fit. */
export interface ExpectedAssertion extends Expected {
  /**
   * The handle of the user who is known already: a second step. The response may then lack it. Absent for a sign-in without a name: then
   * the response must have it.
   */
  user_handle?: string
}

/** What the caller stores. */
export interface NewPasskey {
  passkey: PasskeyData
  state: string
}

/** What the caller does with the record after a good assertion. */
export interface UsedPasskey {
  /** The next state, which the caller sets if the stored one is still the one that was checked. */
  state: string
  /** The counter has not grown, which is accepted for a synchronized passkey alone: a reason for an event. */
  counter_regressed: boolean
  user_verified: boolean
}

/** Why a response is refused. */
export type Fault = { fault: PasskeyFault }

/** The credential that a response of a sign-in names, unchecked: it says which record the caller reads. */
export function presentedCredential(
  response: unknown,
): { credential_id: string; user_handle: string | null } | null {
  const read = assertionResponseOf(response)
  return read && { credential_id: read.credential_id, user_handle: read.user_handle }
}

/**
 * Checks the response of a registration: §7.1. The caller has read it with `parsedResponse`, or got it as JSON. Whether the credential id
 * is new is for the storage.
 */
export function checkRegistration(response: unknown, expected: ExpectedRegistration): NewPasskey | Fault {
  const read = registrationResponseOf(response)
  if (read === null) return { fault: 'passkey_malformed' }
  const fault = clientDataFault(read.client_data, { ...expected, type: 'webauthn.create' })
  if (fault !== null) return { fault }
  const data = authenticatorDataOf(read.authenticator_data)
  if (data === null) return { fault: 'passkey_malformed' }
  const data_fault = authenticatorFault(data, expected)
  return data_fault === null ? newPasskey(read, data, expected) : { fault: data_fault }
}

/** The algorithm, the key, and the credential of the authenticator data, which must have both. */
function newPasskey(
  read: RegistrationResponse,
  data: AuthenticatorData,
  { rp_id, user_handle }: ExpectedRegistration,
): NewPasskey | Fault {
  const { algorithm, credential_id, public_key, transports } = read
  const credential = data.has_credential ? attestedCredentialOf(data.rest) : null
  if (credential?.credential_id.toString('base64url') !== credential_id) return { fault: 'passkey_malformed' }
  if (!isAlgorithm(algorithm)) return { fault: 'passkey_algorithm' }
  const key = public_key && publicKeyOf(public_key, algorithm)
  if (!key) return { fault: 'passkey_key' }
  const cose_key = coseKey(key.jwk, algorithm)
  if (!credential.rest.subarray(0, cose_key.length).equals(cose_key)) return { fault: 'passkey_key' }
  if (!endsWell(data, credential.rest.subarray(cose_key.length))) return { fault: 'passkey_malformed' }
  const passkey: PasskeyData = {
    credential_id,
    public_key: public_key.toString('base64url'),
    algorithm,
    backup_eligible: data.backup_eligible,
    transports,
    aaguid: credential.aaguid,
    rp_id,
    user_handle,
  }
  return { passkey, state: stateText(data) }
}

/** A stored passkey. */
export interface StoredPasskey {
  data: PasskeyData
  state: string
}

/** Checks the response of a sign-in or of a second step against the stored passkey: §7.2. */
export function checkAssertion(
  response: unknown,
  passkey: StoredPasskey,
  expected: ExpectedAssertion,
): UsedPasskey | Fault {
  const read = assertionResponseOf(response)
  if (read === null) return { fault: 'passkey_malformed' }
  if (read.credential_id !== passkey.data.credential_id) return { fault: 'passkey_key' }
  if (!isUserOf(passkey.data, read, expected)) return { fault: 'passkey_user' }
  const fault = clientDataFault(read.client_data, { ...expected, type: 'webauthn.get' })
  if (fault !== null) return { fault }
  const data = authenticatorDataOf(read.authenticator_data)
  // A credential follows only at a registration.
  if (data === null || data.has_credential || !endsWell(data, data.rest))
    return { fault: 'passkey_malformed' }
  const data_fault = authenticatorFault(data, expected) ?? storedFault(data, passkey.data, expected)
  if (data_fault !== null) return { fault: data_fault }
  const signature_fault = signatureFault(read, passkey.data)
  return signature_fault === null ? usedPasskey(data, passkey) : { fault: signature_fault }
}

/** §7.2, the step on the user: the stored handle is that of the known user, and that of the response. */
function isUserOf(
  { user_handle }: PasskeyData,
  read: AssertionResponse,
  { user_handle: known }: ExpectedAssertion,
): boolean {
  if (known === undefined) return read.user_handle === user_handle
  return known === user_handle && (read.user_handle === null || read.user_handle === user_handle)
}

/** What must be as it was at the registration. */
function storedFault(
  data: AuthenticatorData,
  passkey: PasskeyData,
  { rp_id }: ExpectedAssertion,
): PasskeyFault | null {
  if (passkey.rp_id !== rp_id) return 'passkey_rp_id'
  return data.backup_eligible === passkey.backup_eligible ? null : 'passkey_backup'
}

/** The signature is over the authenticator data and the hash of the client data. */
function signatureFault(
  read: AssertionResponse,
  { public_key, algorithm }: PasskeyData,
): PasskeyFault | null {
  const key = publicKeyOf(Buffer.from(public_key, 'base64url'), algorithm)
  if (key === null) return 'passkey_key'
  const client_data_hash = createHash('sha256').update(read.client_data).digest()
  const bytes = Buffer.concat([read.authenticator_data, client_data_hash])
  return isSigned(key.key, { bytes, signature: read.signature }) ? null : 'passkey_signature'
}

/**
 * The counter must grow, unless both are 0. Copies of a synchronized passkey may count apart, so that a lower one is accepted for BE = 1:
 * then the stored counter stays.
 */
function usedPasskey(data: AuthenticatorData, passkey: StoredPasskey): UsedPasskey | Fault {
  const stored = stateOf(passkey.state)
  if (stored === null) return { fault: 'passkey_malformed' }
  const is_unused = data.counter === 0 && stored.counter === 0
  const counter_regressed = !is_unused && data.counter <= stored.counter
  if (counter_regressed && !data.backup_eligible) return { fault: 'passkey_counter' }
  return {
    state: stateText({ counter: Math.max(data.counter, stored.counter), backed_up: data.backed_up }),
    counter_regressed,
    user_verified: data.user_verified,
  }
}
