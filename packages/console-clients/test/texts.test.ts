/** The texts: each language has the same names in them. */

import type { Translated } from '@ostiary/console'
import { expect, it } from 'vitest'
import { TEXTS } from '../src/texts/texts.ts'

const namesIn = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort()

it('each text has the same values in each language', () => {
  const texts = Object.values(TEXTS).flatMap((group) => Object.entries<Translated>(group))
  expect(texts.length).toBeGreaterThan(50)
  for (const [key, [text, ...others]] of texts)
    for (const translated of others) {
      expect(namesIn(translated), key).toEqual(namesIn(text))
      expect(translated.trim(), key).not.toBe('')
    }
})
