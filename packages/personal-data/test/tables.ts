/** For each column of the database: where it is in the document, or why it is not. */

/** Why a column or a table is not in the document. */
export class LeftOut {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

const SECRET = new LeftOut('a secret, or the hash of one')
const PLACE = new LeftOut('where the row is: in the database, in a realm, in a seal')
const SAME = new LeftOut('another form of a value that is in the document')
const STEP = new LeftOut('what the last use has left, such as a counter')
const DAY = new LeftOut('is deleted within two days')
const GRANT = new LeftOut('belongs to a grant, and has the hash of a code or a token')
const OTHERS = new LeftOut('is not about a user')

type Column = string | LeftOut

/** Of tables with rows about a user: by column, the member of the entry in this list of the document; of the user, the member. */
export const PERSONAL: Readonly<Record<string, { list: string; columns: Readonly<Record<string, Column>> }>> =
  {
    oidc_users: {
      list: 'user',
      columns: {
        realm: PLACE,
        sub: 'sub',
        username: 'username',
        username_key: SAME,
        password_hash: SECRET,
        // With attributes, groups and terms: see the test.
        claims: 'claims',
        bucket: PLACE,
        created_at: 'created_at',
        updated_at: 'updated_at',
        disabled_at: 'disabled_at',
        credential_version: 'credential_version',
        second_step: 'second_step',
      },
    },
    oidc_factors: {
      list: 'factors',
      columns: {
        realm: PLACE,
        factor_id: 'factor_id',
        sub: 'sub',
        kind: 'kind',
        label: 'label',
        state: STEP,
        data: 'passkey',
        bucket: PLACE,
        created_at: 'created_at',
        last_used_at: 'last_used_at',
      },
    },
    oidc_remembered_devices: {
      list: 'remembered_devices',
      columns: {
        realm: PLACE,
        device_id: 'device_id',
        sub: 'sub',
        label: 'label',
        secret_hash: SECRET,
        former_hash: SECRET,
        credential_version: 'credential_version',
        bucket: PLACE,
        created_at: 'created_at',
        last_used_at: 'last_used_at',
        expires_at: 'expires_at',
      },
    },
    oidc_links: {
      list: 'links',
      columns: {
        realm: PLACE,
        sub: 'sub',
        issuer: 'issuer',
        subject: 'subject',
        upstream: 'upstream',
        label: 'label',
        bucket: PLACE,
        linked_at: 'linked_at',
        last_used_at: 'last_used_at',
      },
    },
    oidc_tickets: {
      list: 'tickets',
      columns: {
        realm: PLACE,
        ticket_hash: SECRET,
        purpose: 'purpose',
        sub: SAME,
        credential_version: SAME,
        bucket: PLACE,
        created_at: 'created_at',
        expires_at: 'expires_at',
      },
    },
    oidc_sessions: {
      list: 'sessions',
      columns: {
        realm: PLACE,
        sid: 'sid',
        session_hash: SECRET,
        sub: 'sub',
        bucket: PLACE,
        auth_time: 'auth_time',
        amr: 'amr',
        acr: 'acr',
        created_at: 'created_at',
        expires_at: 'expires_at',
        last_used_at: 'last_used_at',
        ends_until: PLACE,
        raised_at: 'raised_at',
      },
    },
    oidc_session_browsers: {
      list: 'sessions',
      columns: { realm: PLACE, sid: 'sid', user_agent: 'user_agent', bucket: PLACE },
    },
    oidc_session_clients: {
      list: 'sessions',
      columns: { realm: PLACE, sid: 'sid', client_id: 'client_ids', bucket: PLACE },
    },
    oidc_grants: {
      list: 'grants',
      columns: {
        realm: PLACE,
        grant_id: 'grant_id',
        client_id: 'client_id',
        sub: 'sub',
        sid: 'sid',
        offline: 'offline',
        scopes: 'scopes',
        resource: 'resource',
        bucket: PLACE,
        auth_time: 'auth_time',
        amr: 'amr',
        acr: 'acr',
        created_at: 'created_at',
        expires_at: 'expires_at',
        revoked_at: 'revoked_at',
        client_auth: 'client_auth',
        jkt: 'jkt',
      },
    },
    oidc_consents: {
      list: 'consents',
      columns: {
        realm: PLACE,
        sub: 'sub',
        client_id: 'client_id',
        resource: 'resource',
        scopes: 'scopes',
        bucket: PLACE,
        created_at: 'created_at',
        updated_at: 'updated_at',
        revoked_at: 'revoked_at',
      },
    },
    oidc_roles: {
      list: 'roles',
      columns: { realm: PLACE, holder: SAME, role: 'role', realms: 'realms' },
    },
    oidc_audit: {
      list: 'audit',
      columns: {
        realm: PLACE,
        audit_id: 'audit_id',
        time: 'time',
        type: 'type',
        outcome: 'outcome',
        actor: 'actor',
        sub: 'sub',
        client_id: 'client_id',
        flow: 'flow',
        refs: 'refs',
        count: 'count',
        data: 'data',
        // Its members are members of the entry: see the test.
        private: new LeftOut('its members are members of the entry'),
        salt: SECRET,
        private_hash: PLACE,
        seal: PLACE,
        place: PLACE,
        hash: PLACE,
      },
    },
  }

/** Tables without rows of their own in the document. */
export const OTHER_TABLES: Readonly<Record<string, LeftOut>> = {
  oidc_usernames: SAME,
  oidc_addresses: SAME,
  oidc_link_keys: SAME,
  oidc_authorization_codes: GRANT,
  oidc_refresh_tokens: GRANT,
  oidc_pending_authorizations: DAY,
  oidc_logout_deliveries: DAY,
  oidc_mails: DAY,
  oidc_throttles: DAY,
  oidc_replays: OTHERS,
  oidc_revoked_tokens: OTHERS,
  oidc_clients: OTHERS,
  oidc_client_documents: OTHERS,
  oidc_signing_keys: OTHERS,
  oidc_leases: OTHERS,
  oidc_database: OTHERS,
  oidc_audit_seals: OTHERS,
  oidc_audit_sinks: OTHERS,
  oidc_realms: OTHERS,
  oidc_migrations: OTHERS,
}

/** What the deletion of a user leaves, by table. */
export const LEFT_AFTER_DELETION: Readonly<Record<string, string>> = {
  oidc_users: 'the sub, so that no other user gets it',
  oidc_grants: 'the grant, revoked, until it would have expired, so that its codes and tokens are refused',
  oidc_authorization_codes: 'until the grant would have expired',
  oidc_refresh_tokens: 'until the grant would have expired',
  oidc_audit: 'the row, without the addresses and the members that were changed',
  oidc_roles: 'the role of a sub that no one can be',
}
