/** @type {Omit<import('../lists.mjs').List, 'name'>} */
const list = {
  folder: 'packages/storage-pglite',
  mutants: [
    {
      id: 'folder lock of another owner',
      file: 'packages/storage-pglite/src/folder-lock.ts',
      find: 'if (read(file) === mine) rmSync',
      replace: 'rmSync',
      tests: ['test/folder-lock.test.ts'],
      title: 'earlier owner',
    },
    {
      id: 'folder lock of a live owner',
      file: 'packages/storage-pglite/src/folder-lock.ts',
      find: 'return owner.started === startOf(owner.pid)',
      replace: 'return false',
      tests: ['test/folder-lock.test.ts'],
      title: 'is held until|names the owner',
    },
    {
      id: 'folder lock of another container',
      file: 'packages/storage-pglite/src/folder-lock.ts',
      find: '    if (now !== before) return true\n',
      replace: '',
      tests: ['test/folder-lock.test.ts'],
      title: 'another container',
    },
    {
      id: 'a start without the database that was there',
      file: 'packages/storage-pglite/src/pglite-executor.ts',
      find: '    requireNoMarker(dataDir)\n',
      replace: '',
      tests: ['test/folder-guard.test.ts'],
    },
    {
      id: 'a folder that was replaced',
      file: 'packages/storage-pglite/src/folder-guard.ts',
      find: 'now?.ino === opened.ino',
      replace: 'now !== undefined',
      tests: ['test/folder-guard.test.ts'],
    },
    {
      id: 'the marker of a folder that is gone',
      file: 'packages/storage-pglite/src/folder-guard.ts',
      find: 'if (!marked_again) mark(folder)',
      replace: '',
      tests: ['test/folder-guard.test.ts'],
    },
    {
      id: 'a commit into a folder that is gone',
      file: 'packages/storage-pglite/src/pglite-executor.ts',
      find: '    check()\n    return result\n',
      replace: '    return result\n',
      tests: ['test/folder-guard.test.ts'],
    },
  ],
}
export default list
