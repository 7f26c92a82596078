/** What the commands about the audit have in common: times of the command line, and texts for a terminal. */

import type { AuditInput, CommandErrors } from './command-types.js'
import { timeOf } from './times.js'

/** The time of an option in epoch seconds; undefined when it is not given. */
export function secondsOf(
  { errors }: { errors: CommandErrors },
  input: AuditInput,
  option: string,
): number | undefined {
  const text = input.text(option)
  if (text === undefined) return undefined
  const time = timeOf(text, Date.now())
  if (time === null) throw timeFault(errors, option)
  return time
}

export const timeFault = ({ usageError }: CommandErrors, option: string): Error =>
  usageError(`--${option}: give a time such as 2026-11-20T14:00Z, or an age such as 90m, 24h or 7d`)

/** A value of a record. */
export const textOf = (value: unknown): string => {
  if (value === undefined) return '-'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** Without control characters: no text of a row may control the terminal. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '?')
