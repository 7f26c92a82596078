/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
    {
      file: 'packages/create-ostiary/src/project.ts',
      tests: ['test/create.test.ts'],
      title: 'secrets of its own',
      mutants: {
        'others can read the secrets of a new project': ['createProject', 'replace', '0o600', '0o644'],
        'every new project has the same secret': [
          'environment',
          'replace',
          'randomBytes(32',
          'Buffer.alloc(32)',
        ],
      },
    },
  ],
}

export default list
