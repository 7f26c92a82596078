/** What can be said of a code block. */

/** A test file, from the root, that reads the page and runs the block. */
interface Runs {
  runs: string
}
/** The block is a configuration, and passes the schema. */
interface Configures {
  configures: true
}
/** The block is a part of a file: it compiles behind this text. */
interface Compiles {
  compiles: string
}
/** Why it is not run here; static.test.ts checks what can be checked without running it. */
interface NotRun {
  not_run: string
}
export type How = Runs | Configures | Compiles | NotRun

export const runs = (file: string): How => ({ runs: file })
export const configures: How = { configures: true }
