import { describe, expect, it } from 'vitest'
import { createLog, errorFields, type Fields } from '../src/index.ts'
import { logOutput } from '../src/log/log-output.ts'
import { readableLines } from '../src/log/readable-lines.ts'

const NOON = new Date(2026, 0, 2, 12, 0, 5).getTime()

function captured({ secrets = [], color = false }: { secrets?: string[]; color?: boolean } = {}) {
  const entries: string[] = []
  const write = readableLines((entry) => entries.push(entry), color)
  return { log: createLog({ write, secrets, now: () => NOON }), last: () => entries.at(-1) ?? '' }
}

const infoLine = (msg: string, fields: Fields): string => {
  const { log, last } = captured()
  log.info(msg, fields)
  return last()
}

describe('a readable log line', () => {
  it('has the time of day, the level, the message and the fields', () => {
    expect(infoLine('listening', { issuer: 'http://localhost:3000', port: 3000, file: null })).toBe(
      '12:00:05 info  listening issuer=http://localhost:3000 port=3000 file=null',
    )
    expect(infoLine('key.created', { event: 'key.created', kid: 'a-b_c' })).toBe(
      '12:00:05 info  key.created kid=a-b_c',
    )
  })

  it('quotes values that could be read as several fields, and shows lists and objects as JSON', () => {
    expect(infoLine('x', { name: 'a b=c', empty: '', list: ['a b'], counts: { created: 1 } })).toBe(
      '12:00:05 info  x name="a b=c" empty="" list=["a b"] counts={"created":1}',
    )
  })

  it('shows the error code of an event as a field', () => {
    expect(infoLine('request.refused', { error: 'invalid_request' })).toBe(
      '12:00:05 info  request.refused error=invalid_request',
    )
  })

  it('has an error with its stack and its causes in indented lines', () => {
    const { log, last } = captured()
    log.error('failed', errorFields(new Error('outer', { cause: new TypeError('inner') })))
    const [head, ...lines] = last().split('\n')
    expect(head).toBe('12:00:05 error failed')
    expect(lines[0]).toBe('    Error: outer')
    expect(lines).toContain('    caused by')
    expect(lines).toContain('    TypeError: inner')
    for (const line of lines) expect(line).toMatch(/^ {4}/)
  })

  it.each([
    ['a line break', '\n12:00:05 error forged'],
    ['a carriage return', '\r12:00:05 error forged'],
    ['an escape sequence', '\u001b[2J\u001b]0;title\u0007'],
    ['an escape sequence of one byte', '\u009b2J'],
    ['a right-to-left override', '\u202egnp.exe'],
    ['a line separator', '\u2028forged'],
    ['a tag character', '\u{e0041}'],
    ['delete', '\u007f'],
  ])('shows %s in a field, a name, a message or an error as text', (_name, attack) => {
    const { log, last } = captured()
    const error = new Error(attack)
    error.stack = `Error: ${attack}`
    log.error(`msg ${attack}`, {
      [`name${attack}`]: 1,
      path: `/${attack}`,
      list: [attack],
      ...errorFields(error),
    })
    const entry = last()
    expect(entry.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
    const [, ...lines] = entry.split('\n')
    for (const line of lines) expect(line).toMatch(/^ {4}/)
  })

  it('does not show a configured secret', () => {
    const { log, last } = captured({ secrets: ['s3cret "of" the app'] })
    log.info('it is s3cret "of" the app', { path: '/s3cret "of" the app' })
    expect(last()).toBe('12:00:05 info  it is [redacted] path="/[redacted]"')
  })

  it('has colors only where they are asked for', () => {
    const { log, last } = captured({ color: true })
    log.warn('x', { a: 1 })
    expect(last()).toBe('\u001b[2m12:00:05\u001b[0m \u001b[33mwarn  \u001b[0mx \u001b[2ma=\u001b[0m1')
  })
})

describe('the form of the log', () => {
  const LINE = JSON.stringify({ time: new Date(NOON).toISOString(), level: 'info', msg: 'x' })
  const PLAIN = '12:00:05 info  x'
  const COLORED = '\u001b[2m12:00:05\u001b[0m \u001b[36minfo  \u001b[0mx'

  it.each([
    { format: null, isTTY: true, env: {}, expected: COLORED },
    { format: null, isTTY: false, env: {}, expected: LINE },
    { format: 'json', isTTY: true, env: {}, expected: LINE },
    { format: 'text', isTTY: false, env: {}, expected: PLAIN },
    { format: null, isTTY: true, env: { NO_COLOR: '1' }, expected: PLAIN },
    { format: null, isTTY: true, env: { NO_COLOR: '' }, expected: COLORED },
    { format: null, isTTY: true, env: { TERM: 'dumb' }, expected: PLAIN },
  ] as const)(
    'LOG_FORMAT $format, on a terminal $isTTY, environment $env',
    ({ expected, isTTY, ...options }) => {
      const lines: string[] = []
      logOutput((line) => lines.push(line), { ...options, stream: { isTTY } })(LINE)
      expect(lines).toEqual([expected])
    },
  )
})
