/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
    {
      file: 'packages/core/src/authorize/pkce.ts',
      tests: ['src/authorize/pkce.test.ts'],
      mutants: {
        'pkce compare': [
          'verifyPkce',
          'replace',
          'sameSecret(',
          'sameSecret(hashes.sha256(code_verifier).slice(0, 20), code_challenge.slice(0, 20))',
        ],
      },
    },
    {
      file: 'packages/core/src/authorize/parse-request.ts',
      tests: ['test/pkce-required.test.ts', 'test/authorize-errors.test.ts'],
      mutants: {
        'pkce method': [
          'parsePkce',
          'replace',
          "params.get('code_challenge_method') !",
          "params.get('code_challenge_method') === 'plain'",
        ],
      },
    },
    {
      file: 'packages/core/src/util/secret.ts',
      tests: ['src/util/secret.test.ts'],
      mutants: {
        'same secret': ['sameSecret', 'always', 'difference =='],
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
      file: 'packages/core/src/clients/redirect-uri.ts',
      tests: ['src/clients/redirect-uri.test.ts'],
      mutants: {
        'redirect fragment': ['redirectUriFault', 'drop', 'if (uri.includes'],
        'redirect any port': ['withoutLoopbackPort', 'drop', 'if'],
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
    {
      file: 'packages/core/src/authorize/pkce.ts',
      tests: ['test/pkce-optional.test.ts'],
      mutants: {
        'PKCE left out by a public client': ['mayOmitPkce', 'never', 'client.token_endpoint_auth_method'],
        'PKCE left out by a self-registered client': ['mayOmitPkce', 'always', 'client.origin ='],
      },
    },
  ],
}

export default list
