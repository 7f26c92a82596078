import { describe, expect, it } from 'vitest'
import { acceptedLanguages, directionOf, findLanguage } from './choose.js'

describe('acceptedLanguages', () => {
  it.each([
    ['de', ['de']],
    ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', ['fr-CH', 'fr', 'en', 'de']],
    ['en;q=0.5, de;q=0.9', ['de', 'en']],
    ['en;q=0.5,de;q=0.5', ['en', 'de']],
    ['de ; q=1.000 , en;Q=0.1', ['de', 'en']],
    ['de;q=0, en', ['en']],
    ['de;q=0.000', []],
    ['de;q=2, en;q=-1, fr;q=0.1234, it;q=a, es;q, pt;q=0.5;x=1', []],
    ['*', []],
    ['de_DE, <b>, ../de, a, abcdefghi, de-', []],
    [',, ;q=1,', []],
    [`${'en;q=0.1,'.repeat(20)}de`, Array(20).fill('en')],
    [`${' '.repeat(512)}de`, []],
    ['', []],
    [null, []],
  ])('of %j', (header, tags) => {
    expect(acceptedLanguages(header)).toEqual(tags)
  })
})

describe('findLanguage', () => {
  const languages = ['en', 'de', 'fr', 'pt-BR', 'zh-Hans', 'sr-Latn', 'de-AT'].map((tag) => ({ tag }))

  it.each([
    [['de'], 'de'],
    [['DE-de'], 'de'],
    [['de-AT-1996'], 'de-AT'],
    [['it', 'fr-CA'], 'fr'],
    // Another region of the same language.
    [['pt-PT'], 'pt-BR'],
    [['pt'], 'pt-BR'],
    // Another script cannot be read by everyone who reads this one.
    [['zh-CN'], 'zh-Hans'],
    [['zh-TW'], null],
    [['sr'], null],
    [['it'], null],
    // Not a tag of BCP 47.
    [['de-x'], 'de'],
    [['nonsense-nonsense-nonsense'], null],
    [[], null],
  ])('of %j is %s', (tags, expected) => {
    expect(findLanguage(tags, languages)?.tag ?? null).toBe(expected)
  })
})

it.each([
  ['ar', 'rtl'],
  ['fa-IR', 'rtl'],
  ['he', 'rtl'],
  ['ur', 'rtl'],
  ['pa-Arab', 'rtl'],
  ['pa', 'ltr'],
  ['de', 'ltr'],
  ['ja', 'ltr'],
])('%s is written %s', (tag, direction) => {
  expect(directionOf(tag)).toBe(direction)
})
