/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
    {
      file: 'packages/core/src/crypto/sealed.ts',
      tests: ['test/derivations.test.ts'],
      mutants: {
        'seal per key': ['sealingKey', 'replace', 'nonce.subarray(', 'new Uint8Array(1)'],
      },
    },
    {
      file: 'packages/core/src/grants/authorization-code.ts',
      tests: ['test/code.test.ts'],
      mutants: {
        'code of another client': ['authorizationCode', 'drop', 'if (grant.client_id'],
        'code replayed': ['authorizationCode', 'drop', 'if (code.redeemed_at'],
        'code replay revokes': ['replayError', 'drop', 'await'],
        'code expired': ['authorizationCode', 'drop', 'code.expires_at'],
        'code redirect_uri': ['authorizationCode', 'drop', 'if (!sameRedirectUri'],
      },
    },
    {
      file: 'packages/core/src/grants/authorization-code.ts',
      tests: ['test/code.test.ts', 'test/pkce-optional.test.ts'],
      mutants: {
        'code verifier': ['requireVerifier', 'drop', 'if (!verifyPkce'],
      },
    },
    {
      file: 'packages/core/src/realm/realm.ts',
      tests: ['test/code.test.ts'],
      mutants: {
        'code other resource': ['requireGrantedResource', 'drop', 'throw new'],
      },
    },
    {
      file: 'packages/core/src/tokens/issue-tokens.ts',
      tests: ['test/failures.test.ts', 'test/code.test.ts'],
      mutants: {
        'code spent by another request': [
          'store',
          'replace',
          'await c',
          '(await c.storage.grants.redeemCode(code.code_hash, redemption, c.now())) || true',
        ],
      },
    },
    {
      file: 'packages/core/src/grants/refresh-token.ts',
      tests: ['test/refresh.test.ts'],
      mutants: {
        'refresh of another client': ['refreshToken', 'drop', 'if (grant.client_id'],
        'refresh reuse revokes': ['successorInGrace', 'drop', 'await c'],
        'refresh reuse': ['successorInGrace', 'drop', "throw invalidGrant('reused_refresh_token"],
        'refresh expired': ['refreshToken', 'drop', 'if (refresh_token'],
        'refresh widens': ['narrowedScopes', 'drop', 'if (!'],
      },
    },
    {
      file: 'packages/core/src/grants/refresh-token.ts',
      tests: ['test/refresh.test.ts', 'test/endings.test.ts'],
      mutants: {
        'refresh of a revoked grant': ['refreshToken', 'drop', 'if (isRevoked'],
      },
    },
    {
      file: 'packages/core/src/grants/refresh-token.ts',
      tests: ['test/refresh.test.ts'],
      title: 'derived from the spent',
      mutants: {
        'refresh token derived': [
          'nextToken',
          'replace',
          'hashes.hmac(',
          'hashes.hmac(rotation, hashes.sha256(spent_token))',
        ],
      },
    },
    {
      file: 'packages/core/src/grants/refresh-token.ts',
      tests: ['test/secret-change.test.ts'],
      mutants: {
        'next token of the previous secret': ['unspentSuccessor', 'drop', 'c.secrets.'],
      },
    },
    {
      file: 'packages/core/src/grants/client-credentials.ts',
      tests: ['test/token.test.ts', 'test/client-auth.test.ts', 'test/token-exchange.test.ts'],
      mutants: {
        'machine token of a public client': ['clientCredentials', 'drop', 'throw'],
      },
    },
    {
      file: 'packages/core/src/tokens/id-token-hint.ts',
      tests: ['test/end-session.test.ts', 'test/authorize-prompt.test.ts', 'test/signatures.test.ts'],
      mutants: {
        'hint typ': ['verifyIdTokenHint', 'drop', 'typ.'],
      },
    },
    {
      file: 'packages/core/src/tokens/id-token-hint.ts',
      tests: ['test/end-session.test.ts', 'test/authorize-prompt.test.ts', 'test/realms.test.ts'],
      mutants: {
        'hint issuer': ['verifyIdTokenHint', 'replace', 'claims?.iss !', '!claims'],
      },
    },
    {
      file: 'packages/core/src/grants/authorization-code.ts',
      tests: ['test/pkce-optional.test.ts'],
      mutants: {
        'PKCE removed from the request': [
          'requireVerifier',
          'drop',
          "throw invalidGrant('unexpected_code_verifier",
        ],
      },
    },
    {
      file: 'packages/core/src/grants/authorization-code.ts',
      tests: ['test/pkce-optional.test.ts', 'test/pkce-required.test.ts'],
      mutants: {
        'PKCE downgrade': [
          'requireVerifier',
          'replace',
          'code_challenge !',
          "code_challenge !== null && params.get('code_verifier') !== null",
        ],
      },
    },
    {
      file: 'packages/core/src/tokens/issue-tokens.ts',
      tests: ['test/refresh.test.ts', 'test/code.test.ts', 'test/failures.test.ts'],
      mutants: {
        'refresh of a deleted user': ['signGrantTokens', 'replace', 'user ==', 'user === undefined'],
      },
    },
    {
      file: 'packages/core/src/tokens/issue-tokens.ts',
      tests: [
        'test/code.test.ts',
        'test/refresh.test.ts',
        'test/tokens-claims.test.ts',
        'test/endings.test.ts',
        'test/login-session.test.ts',
      ],
      mutants: {
        'access token outlives the grant': ['signGrantTokens', 'unwrap', 'Math'],
      },
    },
    {
      file: 'packages/core/src/tokens/grant-lifetime.ts',
      tests: ['test/endings.test.ts'],
      mutants: {
        'offline absolute end': ['tokenEnd', 'replace', 'grant.created_at +', 'Number.MAX_SAFE_INTEGER'],
      },
    },
    {
      file: 'packages/core/src/tokens/bearer-token.ts',
      tests: [
        'test/guard.test.ts',
        'test/revocation.test.ts',
        'test/introspection.test.ts',
        'test/endings.test.ts',
      ],
      mutants: {
        'revoked grant': ['heldGrant', 'drop', 'isRevoked(grant, client)'],
      },
    },
    {
      file: 'packages/core/src/tokens/bearer-token.ts',
      tests: ['test/endings.test.ts'],
      mutants: {
        'revoked token without grant': ['liveClient', 'drop', "throw fault('revoked_token"],
      },
    },
    {
      file: 'packages/core/src/tokens/bearer-token.ts',
      tests: ['test/key-revocation.test.ts'],
      title: 'of a revoked client',
      mutants: {
        'token of a revoked client': ['liveClient', 'drop', 'client.'],
      },
    },
    {
      file: 'packages/core/src/tokens/bearer-token.ts',
      tests: ['test/key-revocation.test.ts'],
      title: 'existing grant, user and client',
      mutants: {
        'token of a user without act': ['activePrincipal', 'drop', "throw fault('user_token_without_grant"],
      },
    },
    {
      file: 'packages/core/src/tokens/bearer-token.ts',
      tests: ['test/verified-tokens.test.ts', 'test/realms.test.ts'],
      mutants: {
        'remembered token of another realm': ['verifyOwnToken', 'drop', 'known.claims'],
      },
    },
    {
      file: 'packages/core/src/tokens/signing-keys.ts',
      tests: ['test/signing-algorithms.test.ts'],
      mutants: {
        'key of a removed algorithm stays for its tokens': [
          'neededKeys',
          'replace',
          '(since.get(kid) ?? now()) + ROLLOUT_SECONDS + lifetime >',
          '(since.get(kid) ?? now()) + ROLLOUT_SECONDS > now()',
        ],
      },
    },
  ],
}

export default list
