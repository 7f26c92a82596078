/** Log lines for people at a terminal, made from the lines of JSON: these are already without secrets. */

import type { Fields, Level } from './log.js'

const COLORS: Record<Level, string> = { info: '36', warn: '33', error: '31' }
const DIM = '2'
/** Longer than `error`, so that the messages stand below each other. */
const LEVEL_CHARACTERS = 6
const INDENT = '    '

/**
 * @param write Takes one entry, without its last line break. The lines of an error stack are indented, so that none of
 * them looks like an entry.
 * @returns Takes one line of JSON.
 */
export function readableLines(write: (text: string) => void, color: boolean): (json: string) => void {
  const paint = (code: string, text: string) => (color ? `\u001b[${code}m${text}\u001b[0m` : text)
  return (json) => {
    const { time, level, msg, ...fields } = JSON.parse(json) as Entry
    const parts = [
      paint(DIM, new Date(time).toTimeString().slice(0, 8)),
      paint(COLORS[level], level.padEnd(LEVEL_CHARACTERS)) + visible(msg),
      ...Object.entries(fields)
        .filter(([name, value]) => !isLoggedError(value) && (name !== 'event' || value !== msg))
        .map(([name, value]) => `${paint(DIM, `${visible(name)}=`)}${shown(value)}`),
    ]
    const errors = Object.values(fields).filter(isLoggedError)
    write([parts.join(' '), ...errors.flatMap(errorLines)].join('\n'))
  }
}

interface Entry extends Fields {
  time: string
  level: Level
  msg: string
}

/** As `errorFields` makes it. */
interface LoggedError {
  name: string
  message: string
  stack?: string
  cause?: LoggedError
}

/** The field `error` of an event is a code. */
const isLoggedError = (value: unknown): value is LoggedError =>
  typeof value === 'object' && value !== null && 'name' in value && 'message' in value

function errorLines({ name, message, stack, cause }: LoggedError): string[] {
  const lines = (stack ?? `${name}: ${message}`).split('\n').map((line) => INDENT + visible(line))
  if (cause === undefined) return lines
  return [...lines, `${INDENT}caused by`, ...errorLines(cause)]
}

/** Texts that cannot be mistaken for several fields are shown as they are, all others as JSON. */
function shown(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[\w.:/@+,%~-]+$/.test(value)
  return isPlain ? value : visible(JSON.stringify(value))
}

/** Escapes what a terminal would obey or hide: control and format characters, line and paragraph separators. */
const visible = (text: string): string =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u${code > 0xffff ? `{${code.toString(16)}}` : code.toString(16).padStart(4, '0')}`
  })
