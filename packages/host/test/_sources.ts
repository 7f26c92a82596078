/** Node's options for a program of the tests that imports this package's sources; other packages are what is built of them, where they are. */
export const RUNTIME: readonly string[] = [
  ...(process.versions.bun ? [] : ['--import', 'tsx']),
  ...(process.env.OSTIARY_BUILT === '1' ? [] : ['--conditions=development']),
]
