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
      file: 'packages/core/src/clients/update-client.ts',
      tests: ['test/client-update.test.ts'],
      title: 'public client',
      mutants: {
        'public client keeps a secret': ['kept_hash', 'always', 'confidential'],
      },
    },
    {
      file: 'packages/core/src/authorize/issue-code.ts',
      tests: ['test/failing-writes.test.ts'],
      mutants: {
        'H2 ended meanwhile': ['storeThenCheck', 'drop', 'if (!'],
        'H2 withdrawn meanwhile': ['storeThenCheck', 'always', 'await isConsented'],
      },
    },
    {
      file: 'packages/core/src/authorize/pending-request.ts',
      tests: ['test/pending-requests.test.ts'],
      mutants: {
        'H3 sealed': ['holdRequest', 'never', 'token.length <'],
        'H3 realm bound': ['store', 'replace', 'MAX_STORED_REQUESTS', 'MAX_STORED_REQUESTS * 10'],
      },
    },
    {
      file: 'packages/core/src/authorize/pending-request.ts',
      tests: ['test/pending-requests.test.ts', 'test/login-races.test.ts'],
      mutants: {
        'H3 one answer': ['unsealedRequest', 'always', 'stored =='],
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
      file: 'packages/core/src/request/plain-pages.ts',
      tests: ['test/end-session.test.ts'],
      mutants: {
        'high escape': ['plainLogoutPage', 'unwrap', 'escapeHtml(client'],
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
        'revoked grant': ['userOfGrant', 'drop', 'grant.revoked_at'],
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
      file: 'packages/core/src/authorize/redirect-target.ts',
      tests: ['test/authorize-errors.test.ts'],
      mutants: {
        'redirect unregistered': ['target', 'drop', 'if (!'],
        'redirect to a revoked client': ['activeClient', 'drop', 'client.'],
      },
    },
    {
      file: 'packages/core/src/authorize/redirect-target.ts',
      tests: ['test/authorize.test.ts', 'test/authorize-errors.test.ts'],
      mutants: {
        'redirect iss': ['redirectToClient', 'drop', 'iss:'],
      },
    },
    {
      file: 'packages/core/src/authorize/decide.ts',
      tests: ['test/authorize-prompt.test.ts'],
      mutants: {
        'silent login': ['decide', 'drop', 'throw silentError'],
        'hint of another user': ['decide', 'never', 'request.hinted_sub !== signedIn'],
        max_age: ['isTooOld', 'compare', 'c.now() - auth_time >', '>'],
      },
    },
    {
      file: 'packages/core/src/authorize/decide.ts',
      tests: ['test/consent.test.ts'],
      mutants: {
        'consent asked': ['decide', 'drop', 'if (await'],
      },
    },
    {
      file: 'packages/core/src/authorize/session.ts',
      tests: ['test/login-session.test.ts', 'test/login.test.ts'],
      mutants: {
        'session expired': ['currentSession', 'always', 'session &'],
        'session stored hashed': ['startSession', 'unwrap', 'c.hashes'],
      },
    },
    {
      file: 'packages/core/src/authorize/session.ts',
      tests: ['test/login-session.test.ts'],
      mutants: {
        'session HttpOnly': [
          'serialize',
          'replace',
          '`$',
          "`${name}=${value}; Path=/; Max-Age=${max_age}; SameSite=Lax${secure ? '; Secure' : ''}`",
        ],
      },
    },
    {
      file: 'packages/core/src/authorize/login.ts',
      tests: ['test/login.test.ts', 'test/login-session.test.ts'],
      mutants: {
        'new login ends the old session': ['replaceSession', 'drop', 'await endSession'],
      },
    },
    {
      file: 'packages/core/src/authorize/end-session.ts',
      tests: ['test/endings.test.ts', 'test/login-session.test.ts', 'test/end-session.test.ts'],
      mutants: {
        'session end revokes grants': ['endSession', 'replace', 'await c.storage.grants', '0'],
      },
    },
    {
      file: 'packages/core/src/authorize/end-session.ts',
      tests: ['test/logout-deliveries.test.ts', 'test/end-session.test.ts'],
      mutants: {
        'session end tells clients': ['endSession', 'drop', 'await notifyClients'],
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
    {
      file: 'packages/core/src/request/read-params.ts',
      tests: [
        'test/failures.test.ts',
        'test/bad-tokens.test.ts',
        'test/authorize-http.test.ts',
        'test/answers.test.ts',
        'test/token.test.ts',
      ],
      mutants: {
        'body limit': ['readBodyBytes', 'drop', 'if (Number'],
      },
    },
  ],
}

export default list
