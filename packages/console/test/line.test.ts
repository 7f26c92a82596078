/** Command lines: a real shell makes the same words of them. */

import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { quoted, writtenLine } from '../src/commands/line.ts'

const wordsIn = (shell: string, line: string): string[] =>
  execFileSync(shell, ['-c', `ostiary() { printf '%s\\0' "$@"; }\n${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)

const TEXTS = [
  "it's",
  '$(touch pwned)',
  '`id`',
  '"$HOME"',
  '\\',
  "\\'",
  '!!',
  '~',
  '=ls',
  '*',
  '{a,b}',
  'a b',
  '#',
  ';',
  '&',
  '|',
  '>x',
  'Ünï😀',
  "''",
  '<b>',
  '%s',
  '-x',
  '--yes',
  '--',
]

it.each(['sh', 'bash'])('%s reads every text as it is, as an argument and as a value', (shell) => {
  for (const text of TEXTS) {
    const line = writtenLine({
      name: 'user create',
      args: [text],
      options: [
        ['claim', `name=${text}`],
        ['sub', null],
      ],
    })
    const separator = text.startsWith('-') ? ['--'] : []
    const words = ['user', 'create', `--claim=name=${text}`, '--sub', ...separator, text]
    expect(wordsIn(shell, line ?? ''), text).toEqual(words)
  }
})

it('every character alone, and between others', () => {
  const characters = Array.from({ length: 95 }, (_, place) => String.fromCharCode(32 + place))
  const words = characters.flatMap((each) => [each, `a${each}b`])
  expect(wordsIn('sh', `ostiary ${words.map(quoted).join(' ')}`)).toEqual(words)
})

it('an empty value stays a value', () => {
  const line = writtenLine({ name: 'user update', args: [''], options: [['username', '']] })
  expect(wordsIn('sh', line ?? '')).toEqual(['user', 'update', '--username=', ''])
})

it.each(['a\nb', 'a\rb', 'a\0b', '\u001b[31m', 'a\u2028b', '\u0085', '\ud800', '\udfff'])(
  'a text with %j has no line',
  (text) => {
    expect(writtenLine({ name: 'user show', args: [text] })).toBeNull()
    expect(writtenLine({ name: 'user show', options: [['user', text]] })).toBeNull()
  },
)
