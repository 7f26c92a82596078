export { bytesOfBase64url } from './base64url.js'
export {
  type AcceptedCredentials,
  type AssertionRequest,
  acceptedCredentials,
  type CreationOptions,
  type CreationRequest,
  creationOptions,
  type RequestOptions,
  requestOptions,
} from './options.js'
export {
  type PasskeyData,
  type PasskeyFault,
  type PasskeyState,
  stateOf,
  stateText,
} from './passkey.js'
export { isAlgorithm, PASSKEY_ALGORITHMS, type PasskeyAlgorithm } from './public-key.js'
export { parsedResponse } from './response.js'
export {
  checkAssertion,
  checkRegistration,
  type ExpectedAssertion,
  type ExpectedRegistration,
  type Fault,
  type NewPasskey,
  presentedCredential,
  type StoredPasskey,
  type UsedPasskey,
} from './webauthn.js'
