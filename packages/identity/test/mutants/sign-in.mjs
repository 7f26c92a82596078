/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
    {
      file: 'packages/identity/src/pages/client-logos.ts',
      tests: ['test/client-logos.test.ts'],
      mutants: {
        'logos of operators alone': ['logoUri', 'drop', 'origin !'],
      },
    },
    {
      file: 'packages/identity/src/web/image-type.ts',
      tests: ['src/web/image-type.test.ts'],
      mutants: {
        'document type of an SVG': ['isSvg', 'drop', '/<!'],
      },
    },
    {
      file: 'packages/identity/src/sign-in/attempts.ts',
      tests: ['test/throttle.test.ts'],
      mutants: {
        'limit of failures': ['reserve', 'replace', 'maximumFailures(', 'maximumFailures(limits, limit) + 5'],
      },
    },
    {
      file: 'packages/identity/src/sign-in/password-check.ts',
      tests: ['test/throttle.test.ts'],
      mutants: {
        'wrong password counts': ['checkPassword', 'replace', 'false', 'BUSY'],
      },
    },
    {
      file: 'packages/identity/src/sign-in/login.ts',
      tests: ['test/login.test.ts', 'test/csrf.test.ts'],
      mutants: {
        'login csrf': ['postLogin', 'drop', 'return refuse(c, { prompt, reason'],
      },
    },
    {
      file: 'packages/identity/src/sign-in/login.ts',
      tests: ['test/login.test.ts', 'test/users.test.ts'],
      mutants: {
        'login of a disabled user': [
          'authenticate',
          'replace',
          'user?.disabled_at === null && hasPassword(',
          'user?.password_hash ?? null',
        ],
      },
    },
    {
      file: 'packages/identity/src/sign-in/finish.ts',
      tests: ['test/concurrent-changes.test.ts'],
      mutants: {
        'login of a user who changed meanwhile': ['isUnchanged', 'drop', 'current?.credential_version'],
      },
    },
    {
      file: 'packages/identity/src/sign-in/devices.ts',
      tests: ['test/device-cookie.test.ts'],
      mutants: {
        'device of a new password': ['tagsOf', 'drop', 'user?.password_hash ?'],
        'device of another account': ['tagsOf', 'drop', 'user?.sub ?'],
        'device of another realm': ['tagsOf', 'drop', 'realm.'],
      },
    },
    {
      file: 'packages/identity/src/users/passwords.ts',
      tests: ['src/users/passwords-cost.test.ts', 'src/users/passwords.test.ts'],
      mutants: {
        'password of no user costs the same': ['UNKNOWN_USER_HASH', 'text', '19456,t=2', '8,t=1'],
      },
    },
    {
      file: 'packages/identity/src/account/actions.ts',
      tests: ['test/client-access.test.ts', 'test/account.test.ts'],
      mutants: {
        'password change ends access': ['signInAnew', 'drop', 'await c'],
      },
    },
    {
      file: 'packages/identity/src/account/account.ts',
      tests: ['test/account-attacks.test.ts', 'test/account-forms.test.ts', 'test/account.test.ts'],
      mutants: {
        'account csrf': ['postAccount', 'drop', 'if (!c.'],
      },
    },
    {
      file: 'packages/identity/src/web/csrf.ts',
      tests: ['test/csrf.test.ts', 'test/login.test.ts', 'src/web/csrf.test.ts'],
      mutants: {
        'csrf site': ['valid', 'drop', '['],
        'csrf token': ['valid', 'always', 'constantTimeEqual('],
      },
    },
    {
      file: 'packages/identity/src/web/keyed-hash.ts',
      tests: ['src/web/keyed-hash.test.ts'],
      mutants: {
        'constant time compare': ['constantTimeEqual', 'drop', 'timingSafeEqual'],
      },
    },
    {
      file: 'packages/identity/src/web/cookies.ts',
      tests: [
        'test/csrf.test.ts',
        'test/device-cookie.test.ts',
        'src/web/cookies.test.ts',
        'src/web/csrf.test.ts',
      ],
      mutants: {
        'cookie HttpOnly': [
          'write',
          'replace',
          '`HttpOnly',
          "`SameSite=Lax${isSecure(realm) ? '; Secure' : ''}`",
        ],
      },
    },
    {
      file: 'packages/identity/src/web/form.ts',
      tests: ['test/bad-input.test.ts', 'test/csrf.test.ts', 'test/login.test.ts'],
      mutants: {
        'form field twice': ['pickFields', 'replace', 'values.length !', 'values.length === 0'],
      },
    },
    {
      file: 'packages/identity/src/pages/html.ts',
      tests: ['src/pages/html.test.ts'],
      mutants: {
        escape: ['escapeHtml', 'replace', '/[', '/[&<>"\\0]/g'],
        'escape javascript URL': ['interpolate', 'unwrap', 'safeUrl'],
      },
    },
    {
      file: 'packages/identity/src/pages/page.ts',
      tests: ['test/pages.test.ts', 'test/login.test.ts', 'test/account-attacks.test.ts'],
      mutants: {
        'page frames': ['pageHeaders', 'drop', '`frame'],
        'page scripts': ['pageHeaders', 'replace', '`default', "`default-src 'self'`"],
      },
    },
  ],
}

export default list
