/** Command lines for a POSIX shell, of words that may have any text. */

/** A command of `ostiary`, before it is written. */
export interface CommandLine {
  /** Its name. */
  name: string
  /** Its arguments. */
  args?: readonly string[]
  /** It has no option for a realm. */
  of_server?: true
  /** Its options, each with its value; null for one without. */
  options?: readonly (readonly [name: string, value: string | null])[]
}

/** What has no place in a line: the end of a line, what a terminal would act on, and half a character. */
const UNWRITABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u
/** Words that every shell reads as they are. A leading `=` or `~` is none of them. */
const PLAIN = /^[\w@%+:,./-][\w@%+=:,./-]*$/

/** Whether a text can be written in a line. */
const isWritable = (text: string): boolean => !UNWRITABLE.test(text)

/** One word of a line. */
export const quoted = (word: string): string =>
  PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** The line, or null where a text has no place in one. */
export function writtenLine({ name, args = [], options = [] }: CommandLine): string | null {
  const words = options.map(([option, value]) => (value === null ? `--${option}` : optionWord(option, value)))
  // What begins with a dash would be an option.
  const separator = args.some((arg) => arg.startsWith('-')) ? ['--'] : []
  const texts = [...args, ...options.map(([, value]) => value ?? '')]
  if (!texts.every(isWritable)) return null
  return ['ostiary', name, ...words, ...separator, ...args.map(quoted)].join(' ')
}

/** An empty value, and one with a leading dash, stay joined to the option. */
const optionWord = (option: string, value: string): string =>
  `--${option}=${value === '' ? '' : quoted(value)}`
