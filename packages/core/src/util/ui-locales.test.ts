import { expect, it } from 'vitest'
import { parseUiLocales, uiLocalesOf } from './ui-locales.js'

it.each([
  ['de', ['de']],
  ['fr-CA fr en', ['fr-CA', 'fr', 'en']],
  ['  de   en ', ['de', 'en']],
  ['de de', ['de']],
  ['zh-Hant-TW sr-Latn', ['zh-Hant-TW', 'sr-Latn']],
  ['a b c d de', ['de']],
  ['de_DE ../../x <b> de', ['de']],
  [`${'a'.repeat(9)} x-${'b'.repeat(40)} de`, ['de']],
  [`de-${'abcdefgh-'.repeat(4)}x en`, ['en']],
  ['de\u0000 en', ['en']],
  ['aa bb cc dd ee ff gg', ['aa', 'bb', 'cc', 'dd', 'ee']],
  [`de-${'abcdefgh-'.repeat(3)}abcde en`, [`de-${'abcdefgh-'.repeat(3)}abcde`, 'en']],
  [`de-${'abcdefgh-'.repeat(3)}abcdef en`, ['en']],
  ['de'.padEnd(1024), ['de']],
  ['de'.padEnd(1025), []],
  ['', []],
  [null, []],
])('of %j the languages are %j', (value, tags) => {
  expect(parseUiLocales(value)).toEqual(tags)
})

it.each([
  ['https://id.example/x?ui_locales=de+fr', ['de', 'fr']],
  ['https://id.example/x?a=1&ui_locales=de&ui_locales=fr', ['de']],
  ['https://id.example/x?ui_locales=%ff', []],
  ['https://id.example/x', []],
])('in the query of %s they are %j', (url, tags) => {
  expect(uiLocalesOf(new Request(url))).toEqual(tags)
})
