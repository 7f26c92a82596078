/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
    {
      file: 'apps/node-server/src/runtime.ts',
      tests: ['test/runtime.test.ts'],
      mutants: {
        'two Host headers': ['checkHost', 'drop', 'if (host.length >'],
        'ambiguous path': ['listen', 'drop', 'if'],
        'head limit': ['listen', 'replace', 'LIMITS.head_bytes', '10 * LIMITS.head_bytes'],
      },
    },
  ],
}

export default list
