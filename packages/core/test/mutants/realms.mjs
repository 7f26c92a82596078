/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
    {
      file: 'packages/core/src/provider/development.ts',
      tests: ['test/development.test.ts'],
      mutants: {
        'development accounts work for a public issuer': ['find', 'drop', 'check'],
        'development sign-in accepts a form of another site': ['signIn', 'drop', 'return messagePage'],
        'development pages do not escape the name of a client': ['loginPage', 'unwrap', 'escapeHtml(client'],
      },
    },
    {
      file: 'packages/core/src/provider/realm-contexts.ts',
      tests: ['test/development-log.test.ts'],
      mutants: {
        'the development log is on for a public issuer': [
          'defaultSink',
          'always',
          "urls('default').issuer.startsWith(",
        ],
      },
    },
    {
      file: 'packages/core/src/provider/management.ts',
      tests: ['test/user-deletion.test.ts'],
      title: 'sessions end',
      mutants: {
        'deleted user keeps consents': [
          'deleteUser',
          'replace',
          'await c',
          '(await c.storage.consents.list(sub)).length',
        ],
      },
    },
    {
      file: 'packages/core/src/provider/management.ts',
      tests: ['test/key-revocation.test.ts'],
      title: 'single.*the only key',
      mutants: {
        'M5 drop': ['keyManagement.revoke', 'drop', 'await keys.drop'],
      },
    },
    {
      file: 'packages/core/src/jobs/delivery-places.ts',
      tests: ['test/delivery-pool.test.ts'],
      mutants: {
        'M6 host share': ['deliveryPlaces.full', 'drop', '...hosts'],
      },
    },
    {
      file: 'packages/core/src/http/responses.ts',
      tests: ['test/answers.test.ts', 'test/token.test.ts'],
      mutants: {
        'no-store': ['NO_STORE', 'replace', "'no-store", "'max-age=60'"],
      },
    },
    {
      file: 'packages/core/src/realm/realm.ts',
      tests: ['test/introspection.test.ts'],
      mutants: {
        'introspection client of another resource': ['isClientOfAudience', 'drop', 'audience.'],
      },
    },
    {
      file: 'packages/core/src/realm/exchange-policy.ts',
      tests: ['test/token-exchange.test.ts'],
      mutants: {
        'exchange by a stranger': ['defaultExchangePolicy', 'drop', 'if (subject'],
        'exchange widens': ['defaultExchangePolicy', 'drop', 'if (!includesAll'],
      },
    },
    {
      file: 'packages/core/src/realm/claims.ts',
      tests: ['test/access-token-claims.test.ts'],
      mutants: {
        'protocol claims of the default resolver': [
          'userClaims',
          'unwrap',
          'withoutProtocolClaims({ ...unmapped',
        ],
      },
    },
    {
      file: 'packages/core/src/realm/claims.ts',
      tests: ['test/userinfo.test.ts', 'test/access-token-claims.test.ts'],
      mutants: {
        'protocol claims of the application': [
          'joined',
          'replace',
          'withoutProtocolClaims(',
          '({ ...mapped, ...claims })',
        ],
      },
    },
    {
      file: 'packages/core/src/realm/claim-mappings.ts',
      tests: ['test/mapped-claims.test.ts'],
      mutants: {
        'mapped claim without its scope': ['isGranted', 'always', 'scopes.includes('],
      },
    },
    {
      file: 'packages/core/src/realm/scope.ts',
      tests: ['src/realm/scope.test.ts'],
      mutants: {
        'scope unassigned': ['scopesInPlay', 'drop', 'if (!assignment'],
        'scope unknown': ['scopesInPlay', 'drop', 'if (!catalog'],
      },
    },
  ],
}

export default list
