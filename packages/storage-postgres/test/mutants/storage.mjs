/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  services: 'postgres',
  groups: [
    {
      file: 'packages/storage-postgres/src/connection/transaction.ts',
      tests: ['test/outages.test.ts'],
      title: 'in silence',
      mutants: {
        'transaction rolled back in silence': ['inTransaction', 'never', 'command !=='],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/grants.ts',
      tests: ['test/atomic.test.ts'],
      title: 'redeemCode and rotateRefreshToken',
      mutants: {
        'code spent twice': ['spend', 'text', '${mark} is null and', ''],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/grants.ts',
      tests: ['test/conformance-postgres.test.ts'],
      title: 'redeemCode|rotateRefreshToken',
      mutants: {
        'spending in its realm': [
          'lockedGrant',
          'text',
          'where ${PLACE} and ${hash}',
          'where bucket = $2 and ${hash}',
        ],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/grants.ts',
      tests: ['test/conformance-postgres.test.ts'],
      title: 'rotateRefreshToken',
      mutants: {
        'unexpired spent tokens deleted': [
          'DELETE_OLD_TOKENS',
          'text',
          ' filter (where expires_at <= (select least($4::bigint, oidc_clock())))',
          '',
        ],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/grants.ts',
      tests: ['test/atomic.test.ts'],
      title: 'renewal',
      mutants: {
        'a spent refresh token is renewed': ['RENEW_REFRESH_TOKEN', 'text', 'spent_at is null and', ''],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/grants.ts',
      tests: ['test/conformance-postgres.test.ts'],
      title: 'revoke: ',
      mutants: {
        'session ends offline grants': ['REVOKE_OF_SESSION', 'replace', "'sid", "'sid = $3'"],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/sessions.ts',
      tests: ['test/conformance-postgres.test.ts'],
      title: 'sessions',
      mutants: {
        'session found after its end': [
          'findSession',
          'replace',
          "'s",
          "'s.realm = key.realm and s.session_hash = key.id'",
        ],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/sessions.ts',
      tests: ['test/atomic.test.ts', 'test/conformance-postgres.test.ts'],
      title: 'sessions',
      mutants: {
        'session joined after its end': [
          'lockedSession',
          'replace',
          '`select',
          '`select sid from oidc_sessions where realm = $1 and sid = ${sid} for key share`',
        ],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/issue.ts',
      tests: ['test/conformance-postgres.test.ts'],
      title: 'issue',
      mutants: {
        'a code for a withdrawn consent': ['LOCKED_CONSENT', 'text', 'and revoked_at is null', ''],
        'a code for more scopes than consented': [
          'LOCKED_CONSENT',
          'text',
          'scopes @> $9::text::jsonb',
          '$9::text is not null',
        ],
        'a code by the consent of another user': [
          'LOCKED_CONSENT',
          'text',
          'sub = $7',
          '$7::text is not null',
        ],
        'a refused code is stored': ['issue', 'replace', "'where", "''"],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/pending.ts',
      tests: ['test/conformance-postgres.test.ts'],
      title: 'put: ',
      mutants: {
        'pending replaced': [
          'PUT',
          'text',
          'do noth',
          '(realm, pending_hash) do update set pending = excluded.pend',
        ],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/leases.ts',
      tests: ['test/leases.test.ts'],
      mutants: {
        'the lease of a living leader is taken': [
          'TAKE',
          'text',
          'where stored.holder = excluded.holder or stored.expires_at <= clock_timestamp()',
          '',
        ],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/revoked-tokens.ts',
      tests: ['test/conformance-postgres.test.ts'],
      title: 'revoked tokens',
      mutants: {
        'revoked token expiry': ['ADD', 'text', 'update set expires_at = excluded.expires_at', 'nothing'],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/consents.ts',
      tests: ['test/conformance-postgres.test.ts'],
      title: 'merge: ',
      mutants: {
        'consent restores old scopes': ['MERGE', 'text', 'stored.revoked_at is not null', 'false'],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/logouts.ts',
      tests: ['test/atomic.test.ts', 'test/conformance-postgres.test.ts'],
      title: 'logouts.claim|claim: ',
      mutants: {
        'delivery claimed twice': [
          'CLAIM',
          'text',
          'and next_attempt_at <= $2 for update skip locked',
          'for update',
        ],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/clients.ts',
      tests: ['test/conformance-postgres.test.ts'],
      title: 'update with expected',
      mutants: {
        'client update of an outdated record': ['UPDATE_EXPECTED', 'text', 'not', ''],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/clients.ts',
      tests: ['test/conformance-postgres.test.ts'],
      title: 'forget',
      mutants: {
        'tombstone forgotten early': ['FORGET', 'text', 'expires_at <= $3', '$3 > 0'],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/purge.ts',
      tests: ['test/conformance-postgres.test.ts'],
      title: 'forget',
      mutants: {
        'tombstone purged': ['EXPIRING_OF_REALMS', 'replace', "'expires_at >", "'expires_at >= 0'"],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/grants.ts',
      tests: ['test/conformance-postgres.test.ts'],
      title: 'revokeOfClient',
      mutants: {
        'sweep revokes grants of a later client': [
          'REVOKE_OF_CLIENT',
          'text',
          'created_at < $6',
          '$6::bigint > 0',
        ],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/users.ts',
      tests: ['test/users.test.ts'],
      title: 'delete: ',
      mutants: {
        'deleted user is found': ['FIND', 'text', ' and ${IS_USER}', ''],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/with-users.ts',
      tests: ['test/with-users.test.ts'],
      title: 'of another one',
      mutants: {
        'user of a record of another realm': ['of', 'replace', 'read?.realm === realm ?', 'read?.user'],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/users.ts',
      tests: ['test/users.test.ts'],
      title: 'on PostgreSQL|update: ',
      mutants: {
        'user changed meanwhile': ['CHANGE', 'text', 'updated_at = $4', '$4 >= 0'],
      },
    },
    {
      file: 'packages/storage-postgres/src/migrations/lock.ts',
      tests: ['test/migrations.test.ts'],
      title: 'at once|waits',
      mutants: {
        'migration lock': ['locked', 'replace', 'row?', 'row'],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/replays.ts',
      tests: ['test/conformance-postgres.test.ts'],
      title: 'claim: ',
      mutants: {
        'used assertion claimed again': [
          'CLAIM',
          'text',
          'where stored.expires_at <= ${EXPIRED_UNTIL}',
          'where $2::bigint > 0',
        ],
      },
    },
    {
      file: 'packages/storage-postgres/src/stores/client-documents.ts',
      tests: ['test/conformance-postgres.test.ts'],
      title: 'put: ',
      mutants: {
        'document replaced by an older one': [
          'PUT',
          'text',
          'where oidc_client_documents.fetched_at <= excluded.fetched_at',
          '',
        ],
      },
    },
  ],
}

export default list
