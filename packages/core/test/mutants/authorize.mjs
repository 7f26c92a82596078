/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
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
      },
    },
    {
      file: 'packages/core/src/storage/tag.ts',
      tests: ['test/login-session.test.ts', 'src/storage/tag.test.ts'],
      mutants: {
        'secrets of people stored hashed': ['taggedHash', 'unwrap', 'hashes.sha256'],
        'only secrets looked up': ['presentedHash', 'always', 'TAGGED_SECRET'],
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
