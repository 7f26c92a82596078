/** Chooses the form of the log: lines for people or lines of JSON. */

import { readableLines } from './readable-lines.js'

export interface LogOutputOptions {
  /** Null: text on a terminal, else JSON. */
  format: 'text' | 'json' | null
  /** Where the log goes. A worker has the standard output of the process that started it, so all their lines are alike. */
  stream: { isTTY?: boolean }
  env: Readonly<Record<string, string | undefined>>
}

/** @returns Takes one line of JSON. */
export function logOutput(
  write: (line: string) => void,
  { format, stream, env }: LogOutputOptions,
): (json: string) => void {
  const isTerminal = stream.isTTY === true
  if ((format ?? (isTerminal ? 'text' : 'json')) === 'json') return write
  // https://no-color.org
  return readableLines(write, isTerminal && !env.NO_COLOR && env.TERM !== 'dumb')
}
