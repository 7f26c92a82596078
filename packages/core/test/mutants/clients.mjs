/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
    {
      file: 'packages/core/src/clients/delete-client.ts',
      tests: ['test/client-deletion.test.ts'],
      title: 'every token',
      mutants: {
        'deleted client keeps its grants': [
          'sweepClient',
          'replace',
          'await sweepAll(sweep, (step) => c.storage.grants',
          '0',
        ],
      },
    },
    {
      file: 'packages/core/src/clients/delete-client.ts',
      tests: ['test/client-mark.test.ts'],
      mutants: {
        'mark of a deleted client ends now': ['tombstoneOf', 'replace', 'expires_at -', 'now'],
      },
    },
    {
      file: 'packages/core/src/tokens/grant-lifetime.ts',
      tests: ['test/client-mark.test.ts'],
      mutants: {
        'grant of a marked client': [
          'isRevoked',
          'replace',
          'created_at <= not_before',
          'created_at < not_before',
        ],
      },
    },
    {
      file: 'packages/core/src/clients/update-client.ts',
      tests: ['test/client-update.test.ts'],
      title: 'public client',
      mutants: {
        'public client keeps a secret': ['kept_hash', 'always', 'confidential'],
      },
    },
    {
      file: 'packages/core/src/clients/client-auth.ts',
      tests: ['test/unauthenticated-requests.test.ts'],
      mutants: {
        'L4 counted': ['authenticateClient', 'drop', 'if (sent.guessable) await'],
        'L4 refused': ['authenticateClient', 'drop', 'if (sent.guessable) refuseBlocked'],
      },
    },
    {
      file: 'packages/core/src/clients/create-client.ts',
      tests: ['test/management-clients.test.ts'],
      mutants: {
        'rotate secret': [
          'rotateClientSecret',
          'replace',
          'c.storage.clients.setSecret(',
          'c.storage.clients.update({ ...stored, client_secret_hash })',
        ],
      },
    },
    {
      file: 'packages/core/src/clients/client-auth.ts',
      tests: ['test/client-auth.test.ts', 'test/configured-client-authentication.test.ts'],
      mutants: {
        'client secret': ['secretCredentials.fault', 'never', '!matches'],
      },
    },
    {
      file: 'packages/core/src/clients/client-auth.ts',
      tests: ['test/client-auth.test.ts'],
      mutants: {
        'client method': ['clientRefusal', 'drop', 'return authMethods'],
      },
    },
    {
      file: 'packages/core/src/clients/client-auth.ts',
      tests: ['test/introspection.test.ts'],
      mutants: {
        'public client introspects': [
          'authenticateConfidentialClient',
          'replace',
          'method =',
          'client.revoked_at === -1',
        ],
      },
    },
    {
      file: 'packages/core/src/clients/redirect-uri.ts',
      tests: ['src/clients/redirect-uri.test.ts'],
      mutants: {
        'redirect fragment': ['redirectUriFault', 'drop', 'if (uri.includes'],
        'redirect any port': ['withoutLoopbackPort', 'drop', 'if'],
      },
    },
    {
      file: 'packages/core/src/clients/field-lists.ts',
      tests: ['test/registration.test.ts', 'src/clients/fields.test.ts', 'test/metadata-document.test.ts'],
      mutants: {
        'registration answers what only an operator sets': [
          'fieldsSetBy',
          'always',
          'clientFields[name].set_by.includes',
        ],
      },
    },
  ],
}

export default list
