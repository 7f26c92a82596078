/** The claims that the provider sets itself: neither a resolver nor the configuration can set them. */

/** In ID tokens and at UserInfo, as the contract lists them. */
export const PROTOCOL_CLAIMS = [
  'sub',
  'iss',
  'aud',
  'exp',
  'iat',
  'nbf',
  'jti',
  'nonce',
  'at_hash',
  'c_hash',
  'auth_time',
  'azp',
  'acr',
  'amr',
  'sid',
]

/** In access tokens these too: a resource server decides by them. */
export const ACCESS_TOKEN_CLAIMS = [
  'client_id',
  'scope',
  'act',
  'may_act',
  'cnf',
  'authorization_details',
  'events',
]
