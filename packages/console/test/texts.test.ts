/** The texts: each language has the same names in them. */

import { expect, it } from 'vitest'
import { TEXTS, textOf } from '../src/texts/texts.ts'
import { acceptedLanguage, type Translated, translated } from '../src/texts/texts-of.ts'

const namesIn = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort()

it('each text has the same values and the same forms in each language', () => {
  const texts = Object.values(TEXTS).flatMap((group) => Object.entries<Translated>(group))
  for (const [key, [text, ...others]] of texts)
    for (const other of others) {
      expect(namesIn(other), key).toEqual(namesIn(text))
      expect(other.split('|').length, key).toBe(text.split('|').length)
      expect(other.trim(), key).not.toBe('')
    }
})

it('writes numbers and forms as the language does', () => {
  expect(textOf({ language: 'en' })('effects.sessions', { count: 1 })).toBe('1 session')
  expect(textOf({ language: 'de' })('effects.sessions', { count: 1200 })).toBe('1.200 Sitzungen')
  expect(textOf({ language: 'xx' })('users.title')).toBe('Users')
  expect(textOf({ language: 'en' })('confirm.label', { name: 'a|b {name}' })).toBe(
    'To confirm, type a|b {name}',
  )
})

it('keeps a French punctuation mark on the line of its word', () => {
  expect(translated(['a: b?', 'a: b?', 'a : b ?'], 'fr')).toBe('a\u00a0: b\u00a0?')
  expect(translated(['a : b', 'a : b', 'a : b'], 'de')).toBe('a : b')
})

it('a long word of a title says where it breaks: at 320 px, a line of a title has 17 characters', () => {
  const titles = Object.entries(TEXTS).flatMap(([group, texts]) =>
    Object.entries<Translated>(texts).filter(([name]) => `${group}.${name}`.endsWith('title')),
  )
  const long = titles.flatMap(([, texts]) =>
    texts.flatMap((text) => text.split(/[ \u00ad-]/).filter(({ length }) => length > 17)),
  )
  expect(long).toEqual([])
  expect(textOf({ language: 'de' })('factors.title')).toBe('Anmelde\u00admöglichkeit entfernen')
})

it('takes the first language of the browser that there is', () => {
  expect(acceptedLanguage('fr-CH, de;q=0.9')).toBe('fr')
  expect(acceptedLanguage('es, de;q=0.5, fr;q=0.7')).toBe('fr')
  expect(acceptedLanguage('de;q=0, *')).toBeNull()
  expect(acceptedLanguage(null)).toBeNull()
  expect(acceptedLanguage(`${'x,'.repeat(1000)}de`)).toBeNull()
})
