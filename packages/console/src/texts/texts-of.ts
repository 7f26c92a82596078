/** Texts in three languages. A name in braces is replaced. */

/** English, German, French. */
export type Translated = readonly [en: string, de: string, fr: string]

/** The texts of some pages, in groups. */
export type Translations = Readonly<Record<string, Readonly<Record<string, Translated>>>>

/** `group.name` of each text. */
export type KeyOf<Texts extends Translations> = {
  [Group in keyof Texts & string]: `${Group}.${keyof Texts[Group] & string}`
}[keyof Texts & string]

/** A text with its values. One for several has `|` between the form for 1 and the other one. */
export type TextOf<Key extends string> = (
  key: Key,
  values?: Readonly<Record<string, string | number>>,
) => string

/** The languages that there are. */
export const TAGS: readonly string[] = ['en', 'de', 'fr']

/** A text in a language; in English for one that there is not. */
export const translated = (texts: Translated, language: string): string => {
  const text = texts[TAGS.indexOf(language)] ?? texts[0]
  // No line begins with a French punctuation mark.
  return language === 'fr' ? text.replaceAll(/ ([:;?!])/g, '\u00a0$1') : text
}

/** The texts of a language. */
export const textsOf =
  <Texts extends Translations>(texts: Texts, language: string): TextOf<KeyOf<Texts>> =>
  (key, values = {}) => {
    const dot = key.indexOf('.')
    const text = texts[key.slice(0, dot)]?.[key.slice(dot + 1)] as Translated
    const [one = '', other = one] = translated(text, language).split('|')
    return (values.count === 1 ? one : other).replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name]
      return typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : (value ?? whole)
    })
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
