/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
    {
      file: 'packages/core/src/realm/policy.ts',
      tests: ['test/fapi2-clients.test.ts'],
      mutants: {
        'fapi2: methods': ['authMethods', 'drop', 'return ['],
        'fapi2: http redirect URIs': ['insecureRedirectFault', 'never', 'protocol ='],
        'fapi2: RS256': ['permitted', 'always', 'algorithm !=='],
      },
    },
    {
      file: 'packages/core/src/clients/client-auth.ts',
      tests: ['test/fapi2-clients.test.ts'],
      mutants: {
        'fapi2: methods of stored clients': ['clientRefusal', 'drop', 'if (!'],
      },
    },
    {
      file: 'packages/core/src/dpop/binding.ts',
      tests: ['test/fapi2-clients.test.ts'],
      mutants: {
        'fapi2: a proof for every token': ['proofDemand', 'drop', 'if (policy.proofs.'],
      },
    },
    {
      file: 'packages/core/src/clients/client-method.ts',
      tests: ['test/fapi2-clients.test.ts'],
      mutants: {
        'fapi2: PKCE of a new client': ['clientProfileFaults', 'drop', 'if ('],
      },
    },
    {
      file: 'packages/core/src/clients/client-metadata.ts',
      tests: ['test/fapi2-clients.test.ts'],
      mutants: {
        'fapi2: methods at registration': ['authMethod', 'drop', '.filter'],
      },
    },
    {
      file: 'packages/core/src/authorize/redirect-target.ts',
      tests: ['test/fapi2-flow.test.ts'],
      mutants: {
        'fapi2: http redirect URIs of stored clients': [
          'target',
          'replace',
          'insecureRedirectFault(',
          'null',
        ],
      },
    },
    {
      file: 'packages/core/src/config/profile.ts',
      tests: ['src/config/profile.test.ts'],
      mutants: {
        'fapi2 configuration: private_key_jwt': ['conflicts', 'always', 'clients.private_key_jwt !'],
      },
    },
    {
      file: 'packages/core/src/grants/refresh-token.ts',
      tests: ['test/refresh-renewal.test.ts'],
      mutants: {
        'refresh token that stays: public clients': ['rotates', 'drop', "client_auth !== '"],
      },
    },
    {
      file: 'packages/core/src/storage/memory/grants.ts',
      tests: ['test/refresh-renewal.test.ts'],
      mutants: {
        'refresh token that stays: a spent token in memory': [
          'renewRefreshToken',
          'drop',
          'found.refresh_token.spent_at',
        ],
      },
    },
    {
      file: 'packages/core/src/authorize/pkce.ts',
      tests: ['test/fapi2-flow.test.ts'],
      mutants: {
        'fapi2: PKCE of stored clients': ['mayOmitPkce', 'drop', 'pkce_optional && client.require'],
      },
    },
  ],
}

export default list
