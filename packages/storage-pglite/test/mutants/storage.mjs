/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
    {
      file: 'packages/storage-pglite/src/folder-lock.ts',
      tests: ['test/folder-lock.test.ts'],
      title: 'is held until|names the owner',
      mutants: {
        'folder lock of a live owner': ['isAlive', 'never', 'owner.started ='],
      },
    },
    {
      file: 'packages/storage-pglite/src/pglite-executor.ts',
      tests: ['test/folder-guard.test.ts'],
      mutants: {
        'a start without the database that was there': ['open', 'drop', 'requireNoMarker'],
      },
    },
    {
      file: 'packages/storage-pglite/src/folder-guard.ts',
      tests: ['test/folder-guard.test.ts'],
      mutants: {
        'a folder that was replaced': ['isThere', 'replace', 'now?.ino =', 'now !== undefined'],
      },
    },
  ],
}

export default list
