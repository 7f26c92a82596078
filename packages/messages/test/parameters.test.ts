/** src/parameters.ts lists the messages with their parameters; `npx vitest run test/parameters.test.ts -u` writes it. */

import { expect, expectTypeOf, it } from 'vitest'
import { en } from '../src/catalogs.ts'
import { type Message, partsOf } from '../src/message.ts'
import type { MessageParameters } from '../src/parameters.ts'

const namesOf = (message: Message): string[] => {
  const found = partsOf(typeof message === 'string' ? message : message.other).flatMap((part) =>
    typeof part === 'string' ? [] : part.parameter,
  )
  return [...new Set(typeof message === 'string' ? found : [...found, 'count'])].sort()
}

/** Lines of at most 110 characters. */
function wrapped(names: readonly string[]): string {
  const lines = ['']
  for (const name of names) {
    const next = `${lines.at(-1)}  | '${name}'`
    if (next.length > 110) lines.push(`  | '${name}'`)
    else lines[lines.length - 1] = next.replace("'  |", "' |")
  }
  return lines.join('\n')
}

it('is up to date', async () => {
  const messages = Object.entries(en).map(([key, message]) => ({ key, names: namesOf(message) }))
  const plain = messages.filter(({ names }) => names.length === 0).map(({ key }) => key)
  const others = messages.filter(({ names }) => names.length > 0)
  const rows = others.map(({ key, names }) => `  '${key}': ${names.map((name) => `'${name}'`).join(' | ')}`)
  await expect(`/** The names of the parameters of each message. Generated from the English texts, by test/parameters.test.ts. */
export interface MessageParameters extends Record<WithoutParameters, never> {
${rows.join('\n')}
}

// biome-ignore format: several names on a line
type WithoutParameters =
${wrapped(plain)}
`).toMatchFileSnapshot('../src/parameters.ts')
})

it('has a name for each parameter', () => {
  expectTypeOf<MessageParameters['consent.title']>().toEqualTypeOf<'application'>()
  expectTypeOf<MessageParameters['error.code']>().toEqualTypeOf<'code'>()
})
