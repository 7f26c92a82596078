/** The repository's own tests: they look at what the packages' tests have left behind. */
export { default } from './vitest.shared.ts'
