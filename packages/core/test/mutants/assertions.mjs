/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
    {
      file: 'packages/core/src/features/client-keys/assertion.ts',
      tests: ['test/client-assertion.test.ts'],
      mutants: {
        'assertion: critical header': ['parseAssertion', 'drop', "'crit"],
        'assertion: type': ['parseAssertion', 'drop', 'if (!'],
        'assertion: algorithm': [
          'parseAssertion',
          'replace',
          'algorithms.find(',
          '(named as AssertionAlgorithm | undefined)',
        ],
        'assertion: issuer': ['assertionClaimsFault', 'drop', "return 'assertion_issuer"],
        'assertion: audience': ['assertionClaimsFault', 'drop', 'if (!audiences'],
        'assertion: exp is required': ['assertionClaimsFault', 'drop', 'typeof exp'],
        'assertion: expired': ['assertionClaimsFault', 'compare', 'exp + EXPIRY_LEEWAY <', '<'],
        'assertion: jti of another client': ['assertionUse', 'replace', '[', '[claims.jti]'],
      },
    },
    {
      file: 'packages/core/src/features/client-keys/assertion-fault.ts',
      tests: ['test/client-assertion.test.ts'],
      mutants: {
        'assertion: signature': ['assertionFault', 'drop', "return 'assertion_signature"],
        'assertion: replay': ['assertionFault', 'replace', 'is_first ?', 'null'],
      },
    },
    {
      file: 'packages/core/src/features/client-keys/fitting-keys.ts',
      tests: ['test/client-assertion.test.ts'],
      mutants: {
        'assertion: registered algorithm': ['fittingKeys', 'drop', 'if (registered'],
        'assertion: algorithm of the key': ['fits', 'always', 'keyAlgorithms(key).includes('],
      },
    },
    {
      file: 'packages/core/src/features/client-keys/private-key-jwt.ts',
      tests: ['test/client-assertion.test.ts'],
      mutants: {
        'assertion: two mechanisms': ['sentAssertion', 'drop', 'if (c'],
      },
    },
    {
      file: 'packages/core/src/clients/client-auth.ts',
      tests: ['test/client-assertion.test.ts'],
      mutants: {
        'assertion: refused client uses up its jti': ['authenticateClient', 'always', 'unusable =='],
      },
    },
    {
      file: 'packages/core/src/features/client-keys/fitting-keys.ts',
      tests: ['test/client-jwks-uri.test.ts'],
      mutants: {
        'jwks_uri: stored address is not checked': [
          'fittingKeys',
          'replace',
          'jwksUriFault(jwks_uri, c.realm.policy.reaches_loopback) !',
          'c.realm.policy.reaches_loopback',
        ],
      },
    },
    {
      file: 'packages/core/src/clients/update-client.ts',
      tests: ['test/clients-with-keys.test.ts'],
      mutants: {
        'client with keys: the secret stays beside new keys': ['staysConfidential', 'drop', '!namesKeys'],
      },
    },
    {
      file: 'packages/core/src/clients/client-keys.ts',
      tests: ['src/clients/client-keys.test.ts'],
      mutants: {
        'client key: private part': ['clientKeyFault', 'drop', 'if (isPrivate'],
        'client key: short modulus': ['rsaFault', 'replace', 'bits <', 'bits === 0'],
        'client key: jwks_uri with an address': ['jwksUriFault', 'replace', 'documentHostFault(', 'null'],
      },
    },
  ],
}

export default list
