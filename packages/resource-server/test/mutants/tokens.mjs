/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
    {
      file: 'packages/resource-server/src/access-token.ts',
      tests: ['test/access-token.test.ts'],
      mutants: {
        typ: ['verifyAccessToken', 'drop', 'typ'],
        issuer: ['verifyAccessToken', 'drop', 'issuer:'],
      },
    },
    {
      file: 'packages/resource-server/src/access-token.ts',
      tests: ['test/access-token.test.ts', 'test/jwks.test.ts'],
      mutants: {
        algorithms: [
          'verifyAccessToken',
          'replace',
          'headerAlgorithms(',
          "['RS256', 'RS384', 'RS512', 'PS256', 'ES256']",
        ],
      },
    },
    {
      file: 'packages/resource-server/src/jwt.ts',
      tests: ['test/jwt.test.ts'],
      mutants: {
        'jwt: the signature': [
          'checkSignature',
          'replace',
          '!(await',
          '!(await isSignedBy(key, { alg, input, signature })) && input === ""',
        ],
        'jwt: the listed algorithms': ['checkSignature', 'replace', '!rules', "alg === 'none'"],
        'jwt: critical header parameters': ['checkSignature', 'replace', 'crit !', 'crit === null'],
        'jwt: three parts': ['parse', 'compare', 'parts.', '<'],
        'jwt: at exp': ['checkTimes', 'compare', 'exp <', '<'],
        'jwt: before nbf': ['checkTimes', 'replace', 'now +', 'now + 2 * clock_tolerance'],
      },
    },
    {
      file: 'packages/resource-server/src/access-token.ts',
      tests: ['test/bound-tokens.test.ts', 'test/access-token.test.ts', 'test/introspection.test.ts'],
      mutants: {
        'bound token': ['accessToken', 'drop', 'refuseConfirmation'],
      },
    },
    {
      file: 'packages/resource-server/src/dpop/confirmation.ts',
      tests: ['test/access-token.test.ts', 'test/introspection.test.ts'],
      mutants: {
        'bound token without jkt': [
          'refuseConfirmation',
          'replace',
          'cnf !',
          "typeof cnf === 'object' && cnf !== null && 'jkt' in cnf",
        ],
      },
    },
    {
      file: 'packages/resource-server/src/guard.ts',
      tests: ['test/guard.test.ts'],
      mutants: {
        'guard scopes': ['accept', 'drop', 'return refuse'],
        'guard audience': [
          'checkAudience',
          'replace',
          'principal.currentAccessToken().audience.some(',
          'principal.currentAccessToken().audience.length > 0',
        ],
      },
    },
    {
      file: 'packages/resource-server/src/introspection.ts',
      tests: ['test/introspection.test.ts'],
      mutants: {
        'introspection active': ['tokenOf', 'replace', 'active !', 'active === false'],
        'introspection issuer': ['tokenOf', 'drop', "throw new BearerError('invalid_token', 'wrong_issuer"],
      },
    },
    {
      file: 'packages/resource-server/src/issuer.ts',
      tests: ['test/issuer.test.ts'],
      mutants: {
        'discovery issuer': ['discover', 'drop', 'if (document'],
        'endpoint https': ['endpoint', 'drop', 'if (!'],
      },
    },
    {
      file: 'packages/resource-server/src/resource-server.ts',
      tests: ['test/access-token.test.ts', 'test/guard.test.ts', 'test/introspection.test.ts'],
      mutants: {
        audience: ['withAudience', 'drop', 'if ('],
      },
    },
    {
      file: 'packages/resource-server/src/resource-server.ts',
      tests: ['test/introspection.test.ts'],
      mutants: {
        'introspection of another token': ['withIntrospection', 'always', 'answer.claims[name] ='],
      },
    },
    {
      file: 'packages/resource-server/src/token-store.ts',
      tests: ['test/token-cache.test.ts'],
      mutants: {
        'store until exp': ['set', 'unwrap', 'Math'],
      },
    },
    {
      file: 'packages/resource-server/src/authentication.ts',
      tests: ['test/authentication.test.ts'],
      mutants: {
        'step-up: a weaker acr passes': ['authenticationError', 'drop', 'if (acr_values'],
        'step-up: an old sign-in passes': ['authenticationError', 'always', 'now - auth_time <'],
      },
    },
  ],
}

export default list
