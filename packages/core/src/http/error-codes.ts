/** The error codes of the wire. This file has types only. */

import type { FeatureErrorCode } from '../features/declarations.js'

/** Every error code that can appear on the wire, by the document that defines it. */
export type OAuthErrorCode =
  // RFC 6749 §4.1.2.1, §5.2
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'access_denied'
  | 'server_error'
  | 'temporarily_unavailable'
  // OpenID Connect Core §3.1.2.6
  | 'interaction_required'
  | 'login_required'
  | 'consent_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'invalid_request_uri'
  // OpenID Connect Core Error Code unmet_authentication_requirements 1.0
  | 'unmet_authentication_requirements'
  // RFC 6750 §3.1
  | 'invalid_token'
  | 'insufficient_scope'
  // RFC 9470 §3
  | 'insufficient_user_authentication'
  // RFC 7591 §3.2.2
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  // RFC 8707 §2
  | 'invalid_target'
  // RFC 9449 §5, §8
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'
  // RFC 9396 §5
  | 'invalid_authorization_details'
  | FeatureErrorCode
