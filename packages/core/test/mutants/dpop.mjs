/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
    {
      file: 'packages/core/src/dpop/guard.ts',
      tests: ['test/dpop-resources.test.ts'],
      mutants: {
        'dpop resource: bearer tokens of a resource that requires DPoP': ['guardDpop', 'drop', 'required'],
        'dpop resource: no nonces': ['guardDpop', 'drop', '..'],
        'dpop resource: replays': ['guardDpop', 'drop', 'replays:'],
      },
    },
    {
      file: 'packages/core/src/tokens/bearer-token.ts',
      tests: ['test/dpop-resources.test.ts'],
      mutants: {
        'dpop resource: bearer tokens at another guard': ['activePrincipal', 'drop', 'if (lacksBinding'],
      },
    },
    {
      file: 'packages/core/src/provider/realm-contexts.ts',
      tests: ['test/dpop-resources.test.ts'],
      mutants: {
        'dpop resource: URL of UserInfo': ['realmContexts', 'never', 'use ='],
      },
    },
    {
      file: 'packages/core/src/dpop/proof.ts',
      tests: ['test/dpop-token.test.ts'],
      mutants: {
        'dpop: the URL is what the client says': ['rules', 'replace', 'endpoint_url', 'c.request.url'],
        'dpop: replay': ['claimed', 'drop', 'if'],
        'dpop: jti of another key': ['claimed', 'replace', 'proofUse(', "proofUse({ ...proof, jkt: '' })"],
      },
    },
    {
      file: 'packages/core/src/tokens/issue-tokens.ts',
      tests: ['test/dpop-token.test.ts'],
      mutants: {
        'dpop: code without a claim': ['issueGrantTokens', 'drop', 'await claimProof'],
        'dpop: client credentials without a claim': ['issueToken', 'drop', 'await claimProof'],
      },
    },
    {
      file: 'packages/core/src/dpop/binding.ts',
      tests: ['test/dpop-token.test.ts'],
      mutants: {
        'dpop: the client requires it': ['proofDemand', 'drop', 'if (client'],
      },
    },
    {
      file: 'packages/core/src/tokens/access-token.ts',
      tests: ['test/dpop-token.test.ts'],
      mutants: {
        'dpop: cnf': ['accessTokenClaims', 'drop', 'claims.cnf'],
      },
    },
    {
      file: 'packages/core/src/realm/protocol-claims.ts',
      tests: ['test/dpop-token.test.ts'],
      mutants: {
        'dpop: cnf of the claims resolver': ['ACCESS_TOKEN_CLAIMS', 'drop', "'cnf"],
      },
    },
    {
      file: 'packages/core/src/grants/authorization-code.ts',
      tests: ['test/dpop-bound-grants.test.ts'],
      mutants: {
        'dpop grant: dpop_jkt of the code': ['authorizationCode', 'drop', 'throw invalidGrant(binding_fault'],
      },
    },
    {
      file: 'packages/core/src/grants/refresh-token.ts',
      tests: ['test/dpop-bound-grants.test.ts'],
      mutants: {
        'dpop grant: refresh without the key': ['refreshToken', 'drop', 'throw invalidGrant(binding_fault'],
      },
    },
    {
      file: 'packages/core/src/tokens/issue-tokens.ts',
      tests: ['test/dpop-bound-grants.test.ts'],
      mutants: {
        'dpop grant: the refresh token is not bound': ['redeemCode', 'never', 'proof !'],
        'dpop grant: another key': ['bindingFault', 'always', 'proof.jkt ='],
      },
    },
    {
      file: 'packages/core/src/dpop/proof.ts',
      tests: ['test/dpop-nonces.test.ts'],
      mutants: {
        'dpop nonce: not required': ['verifiedProof', 'drop', 'requireNonce'],
      },
    },
    {
      file: 'packages/core/src/dpop/nonces.ts',
      tests: ['test/dpop-nonces.test.ts'],
      mutants: {
        'dpop nonce: of another realm': ['madeNonces', 'replace', '`$', '`${role}`'],
      },
    },
    {
      file: 'packages/core/src/features/exchange/exchange-subject.ts',
      tests: ['test/dpop-access.test.ts'],
      mutants: {
        'dpop access: exchange without the key': ['exchangeProof', 'drop', 'throw'],
      },
    },
  ],
}

export default list
