/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
    {
      file: 'packages/core/src/endpoints/consent.ts',
      tests: ['test/user-deletion.test.ts'],
      title: 'approval',
      mutants: {
        'approval of a deleted user': ['approve', 'drop', 'await withdrawOfDeleted'],
      },
    },
    {
      file: 'packages/core/src/features/registration/register-client.ts',
      tests: ['test/registration-reuse.test.ts'],
      mutants: {
        'reuse of a client with a secret': ['registerClient', 'drop', 'isPublic'],
      },
    },
    {
      file: 'packages/core/src/features/revocation.ts',
      tests: ['test/failing-writes.test.ts'],
      mutants: {
        'crit4 await': ['revoke', 'unwrap', 'await c.storage.grants'],
      },
    },
    {
      file: 'packages/core/src/features/exchange/token-exchange.ts',
      tests: ['test/token-exchange.test.ts'],
      mutants: {
        'high sub': ['tokenExchange', 'drop', 'if (user !== null &&'],
        'exchange by a public client': ['tokenExchange', 'drop', 'if (method'],
        'exchange outlives its subject': ['tokenExchange', 'unwrap', 'Math'],
      },
    },
    {
      file: 'packages/core/src/endpoints/consent.ts',
      tests: ['test/consent-endpoint.test.ts'],
      mutants: {
        'consent of another session': ['takePending', 'drop', 'signedIn.'],
        'consent expired': ['takePending', 'drop', 'if (pending.'],
      },
    },
    {
      file: 'packages/core/src/endpoints/consent.ts',
      tests: ['test/login-races.test.ts'],
      mutants: {
        'consent answered twice': ['takePending', 'drop', "throw authTokenError('reused_auth_token"],
      },
    },
    {
      file: 'packages/core/src/features/logout/logout-request.ts',
      tests: ['test/end-session.test.ts'],
      mutants: {
        'logout audience': ['parseLogoutRequest', 'drop', 'if'],
        'logout redirect': ['withRegisteredUri', 'drop', 'client.'],
      },
    },
    {
      file: 'packages/core/src/features/logout/endpoint.ts',
      tests: ['test/end-session.test.ts'],
      mutants: {
        'logout of another user': ['logout', 'replace', 'hint?.sub !', 'hint === null'],
      },
    },
    {
      file: 'packages/core/src/features/introspection.ts',
      tests: ['test/introspection.test.ts'],
      mutants: {
        'introspection by any client': ['answer', 'drop', 'mayIntrospect'],
        'introspection of a spent refresh token': ['activeRefreshToken', 'drop', 'refresh_token.spent_at'],
      },
    },
    {
      file: 'packages/core/src/features/revocation.ts',
      tests: ['test/revocation.test.ts'],
      mutants: {
        'revocation by any client': ['answer', 'replace', 'found?.client_id =', 'found'],
      },
    },
    {
      file: 'packages/core/src/features/registration/endpoint.ts',
      tests: ['test/registration-policy.test.ts', 'test/registration.test.ts'],
      mutants: {
        'registration throttle': ['registration', 'drop', 'await throttle'],
      },
    },
  ],
}

export default list
