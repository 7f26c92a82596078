/** The tables whose rows move with a database. A test compares both lists with the schema. */

/** By name: the columns of the primary key between `realm` and the bucket. */
export const MOVED_TABLES: Readonly<Record<string, readonly string[]>> = {
  oidc_clients: ['client_id'],
  oidc_client_documents: ['client_id'],
  oidc_users: ['sub'],
  oidc_usernames: ['username_key'],
  oidc_factors: ['factor_id'],
  oidc_addresses: ['address_key', 'sub'],
  oidc_links: ['sub', 'issuer', 'subject'],
  oidc_link_keys: ['link_key'],
  oidc_tickets: ['sub', 'purpose'],
  oidc_remembered_devices: ['sub', 'device_id'],
  oidc_consents: ['sub', 'client_id', 'resource'],
  oidc_signing_keys: ['kid'],
  oidc_grants: ['grant_id'],
  oidc_authorization_codes: ['code_hash'],
  oidc_refresh_tokens: ['token_hash'],
  oidc_revoked_tokens: ['jti'],
  oidc_replays: ['key_hash'],
  oidc_sessions: ['sid'],
  oidc_session_browsers: ['sid'],
  oidc_session_clients: ['sid', 'client_id'],
  oidc_pending_authorizations: ['pending_hash'],
  oidc_logout_deliveries: ['delivery_id'],
  oidc_mails: ['mail_id'],
  oidc_audit: ['audit_id'],
  oidc_audit_seals: ['number'],
  oidc_audit_sinks: ['sink'],
  oidc_roles: ['holder', 'role'],
  oidc_realms: [],
}

/** The steps of the schema, counters of the last minutes, which server does what, and which database this is: the target has its own. */
export const LEFT_TABLES: readonly string[] = [
  'oidc_migrations',
  'oidc_throttles',
  'oidc_leases',
  'oidc_database',
]
