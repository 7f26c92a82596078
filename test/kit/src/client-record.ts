import type { Client } from '@ostiary/core'

/** A public client that may ask for codes and refresh tokens; the fields that matter to a test replace these. */
export const clientRecord = (fields: Partial<Client> = {}): Client => ({
  client_id: 'app',
  client_secret_hash: null,
  client_name: 'The App',
  token_endpoint_auth_method: 'none',
  redirect_uris: ['https://client.example.com/callback'],
  post_logout_redirect_uris: [],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  backchannel_logout_uri: null,
  backchannel_logout_session_required: false,
  allowed_exchange_audiences: [],
  consent_required: true,
  trusted: false,
  default_scopes: null,
  optional_scopes: null,
  self_registered: false,
  client_id_issued_at: 0,
  expires_at: null,
  revoked_at: null,
  ...fields,
})
