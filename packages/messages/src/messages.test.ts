/** The built-in catalogs. That each is complete is checked by the compiler. */

import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Catalog, de, en, fr, type MessageKey } from './catalogs.js'
import { messageFault } from './check-catalog.js'
import { type Texts, withSameParameters } from './texts.js'

const textsOf = (message: Catalog[MessageKey]): string[] =>
  typeof message === 'string' ? [message] : Object.values(message)

describe.each([
  ['en', en],
  ['de', de],
  ['fr', fr],
])('%s', (_, catalog) => {
  it('has the right parameters in each text, plural categories included', () => {
    const faults = Object.entries(catalog).map(([key, message]) => [key, messageFault(key, message)])
    expect(faults.filter(([, fault]) => fault !== null)).toEqual([])
  })

  it('has sentences without stray spaces', () => {
    const stray = Object.values(catalog)
      .flatMap(textsOf)
      .filter((text) => text !== text.trim() || / {2}| [.,]/.test(text))
    expect(stray).toEqual([])
  })
})

it('each message is in one of the files', async () => {
  const files = readdirSync(new URL('./texts/', import.meta.url))
  const modules: Record<string, Texts>[] = await Promise.all(files.map((file) => import(`./texts/${file}`)))
  const names = modules.flatMap((texts) => Object.values(texts)).flatMap((texts) => Object.keys(texts))
  expect(names.sort()).toEqual(Object.keys(en).sort())
})

it('no sentence is left in English', () => {
  for (const catalog of [de, fr]) {
    const same = Object.entries(catalog).filter(([key, message]) => {
      const [text = ''] = textsOf(message)
      const words = text.replace(/\{[a-z_]+\}/g, '')
      return text.includes(' ') && /\p{L}/u.test(words) && text === textsOf(en[key as MessageKey])[0]
    })
    expect(same.map(([key]) => key)).toEqual(catalog === de ? ['error.code'] : [])
  }
})

it('English says email, as the account page does', () => {
  expect(
    Object.values(en)
      .flatMap(textsOf)
      .filter((text) => /\bmails?\b/i.test(text)),
  ).toEqual([])
})

it('French has a protected space before a colon, a question mark and inside of quotation marks', () => {
  const wrong = Object.values(fr)
    .flatMap(textsOf)
    .filter((text) => /(?<!\u00a0):|(?<!\u202f)[?!;]|«(?!\u00a0)|(?<!\u00a0)»/.test(text))
  expect(wrong).toEqual([])
})

/** Compiled, not run: the first two calls have no fault, and each of the others exactly one. */
export function checkedByTheCompiler(): void {
  withSameParameters({
    'consent.title': ['Allow {application}?', '{application} erlauben?', 'Autoriser {application} ?'],
  })
  withSameParameters({ x: [{ one: '{count}', other: '{count}' }, { other: '{count}' }, '{count}'] })
  // @ts-expect-error: a language is missing
  withSameParameters({ x: ['Sign in', 'Anmelden'] })
  // @ts-expect-error: the parameter is missing in German
  withSameParameters({ x: ['Allow {application}?', 'Erlauben?', 'Autoriser {application} ?'] })
  // @ts-expect-error: the parameter does not exist in English
  withSameParameters({ x: ['Sign in', 'Anmelden', 'Connexion à {host}'] })
  // @ts-expect-error: the parameter is missing from the plural
  withSameParameters({ x: [{ other: '{count} {a}' }, { other: '{count}' }, '{count} {a}'] })
}
