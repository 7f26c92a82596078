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
  ],
}
export default list
