/** @type {Omit<import('../lists.mjs').List, 'name'>} */
const list = {
  folder: 'packages/create-ostiary',
  mutants: [
    {
      id: 'others can read the secrets of a new project',
      file: 'packages/create-ostiary/src/project.ts',
      find: 'mode: 0o600',
      replace: 'mode: 0o644',
      tests: ['test/create.test.ts'],
      title: 'secrets of its own',
    },
    {
      id: 'Git takes the secrets of a new project',
      file: 'packages/create-ostiary/src/project.ts',
      find: "file === 'gitignore' ? '.gitignore' : file",
      replace: 'file',
      tests: ['test/create.test.ts'],
      title: 'secrets of its own',
    },
    {
      id: 'every new project has the same secret',
      file: 'packages/create-ostiary/src/project.ts',
      find: "OIDC_SECRET=${randomBytes(32).toString('base64url')}",
      replace: "OIDC_SECRET=${Buffer.alloc(32).toString('base64url')}",
      tests: ['test/create.test.ts'],
      title: 'secrets of its own',
    },
    {
      id: 'a project overwrites a folder',
      file: 'packages/create-ostiary/src/project.ts',
      find: "readdirSync(folder).some((file) => file !== '.git')",
      replace: 'false',
      tests: ['test/create.test.ts'],
      title: 'is not empty',
    },
    {
      id: 'a client URL of every scheme is written into the project',
      file: 'packages/create-ostiary/src/project.ts',
      find: '/^https?:$/.test(url.protocol) && url.href === `${url.origin}/`',
      replace: 'true',
      tests: ['test/create.test.ts'],
      title: 'refuses',
    },
  ],
}
export default list
