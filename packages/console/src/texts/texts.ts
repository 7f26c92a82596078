/** The texts of the console, in three languages. A name in braces is replaced. */

import { DE } from './de.js'
import { EN, type TextKey, type Texts } from './en.js'
import { FR } from './fr.js'

export type { TextKey } from './en.js'

/** A text with its values. One for several has `|` between the form for 1 and the other one. */
export type TextOf = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string

const LANGUAGES: Readonly<Record<string, Texts>> = { en: EN, de: DE, fr: FR }

/** The languages that there are. */
export const TAGS: readonly string[] = Object.keys(LANGUAGES)

export function textsOf(language: string): TextOf {
  const texts = LANGUAGES[language] ?? EN
  const numbers = new Intl.NumberFormat(language)
  return (key, values = {}) => {
    const [one = '', other = one] = texts[key].split('|')
    return (values.count === 1 ? one : other).replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name]
      return typeof value === 'number' ? numbers.format(value) : (value ?? whole)
    })
  }
}

/** The first language of the header that there is; null for none. */
export function acceptedLanguage(header: string | null): string | null {
  const accepted = (header ?? '')
    .slice(0, 512)
    .split(',', 20)
    .map((range) => {
      const [tag = '', weight = ''] = range.split(';', 2).map((part) => part.trim())
      const quality = weight.startsWith('q=') ? Number(weight.slice(2)) : 1
      return { tag: tag.split('-')[0]?.toLowerCase() ?? '', quality }
    })
    .filter(({ tag, quality }) => TAGS.includes(tag) && quality > 0)
    .sort((one, other) => other.quality - one.quality)
  return accepted[0]?.tag ?? null
}
