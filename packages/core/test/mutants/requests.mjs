/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
    {
      file: 'packages/core/src/request/plain-pages.ts',
      tests: ['test/end-session.test.ts'],
      mutants: {
        'high escape': ['plainLogoutPage', 'unwrap', 'escapeHtml(client'],
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
    {
      file: 'packages/core/src/util/secret.ts',
      tests: ['src/util/secret.test.ts'],
      mutants: {
        'same secret': ['sameSecret', 'always', 'difference =='],
      },
    },
  ],
}

export default list
