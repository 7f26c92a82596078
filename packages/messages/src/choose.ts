/** Which language a page has: `ui_locales`, then `Accept-Language` (RFC 9110 §12.5.4), then the default. */

import { isLanguageTag } from '@ostiary/core'

/** A longer header is cut, and further languages are ignored: a browser sends fewer than 10. */
const MAX_HEADER_LENGTH = 512
const MAX_ACCEPTED = 20

const QUALITY = /^q=([01](?:\.\d{0,3})?)$/i

/** The languages of an `Accept-Language` header, the preferred one first. */
export function acceptedLanguages(header: string | null): string[] {
  return (header ?? '')
    .slice(0, MAX_HEADER_LENGTH)
    .split(',', MAX_ACCEPTED)
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
      return { tag, quality: qualityOf(parameters) }
    })
    .filter(({ tag, quality }) => quality > 0 && isLanguageTag(tag))
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
}

/** 1 without a parameter, 0 for one that is malformed. */
function qualityOf([parameter, ...others]: string[]): number {
  if (parameter === undefined) return 1
  const value = QUALITY.exec(parameter)?.[1]
  return value === undefined || others.length > 0 ? 0 : Number(value)
}

/**
 * The first language that a tag of the list selects: the same tag, or a shorter one (RFC 4647 §3.4), or another region of
 * the same language in the same script. Null when there is none.
 */
export function findLanguage<L extends { tag: string }>(
  tags: readonly string[],
  languages: readonly L[],
): L | null {
  for (const tag of tags) {
    const found = lookUp(tag, languages) ?? inSameScript(tag, languages)
    if (found) return found
  }
  return null
}

/** The language with this tag, or with the longest of its shorter forms; `de-CH-1996`, `de-CH`, `de`. */
export function lookUp<L extends { tag: string }>(tag: string, languages: readonly L[]): L | null {
  const parts = tag.toLowerCase().split('-')
  for (let length = parts.length; length > 0; length--) {
    const shorter = parts.slice(0, length).join('-')
    const found = languages.find((language) => language.tag.toLowerCase() === shorter)
    if (found) return found
  }
  return null
}

/** `pt-BR` for `pt-PT`, but not `zh-Hans` for `zh-TW`. */
function inSameScript<L extends { tag: string }>(tag: string, languages: readonly L[]): L | null {
  const wanted = writtenForm(tag)
  if (wanted === null) return null
  return languages.find((language) => writtenForm(language.tag) === wanted) ?? null
}

/** The language and the script in which it is written, or null for a tag that is not one of BCP 47. */
function writtenForm(tag: string): string | null {
  const { language, script } = likelySubtags(tag)
  return script === undefined ? null : `${language}-${script}`
}

/** Scripts that are written from right to left and have a language today. */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa'])

/** The direction in which the language is usually written. */
export const directionOf = (tag: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(likelySubtags(tag).script ?? '') ? 'rtl' : 'ltr'

function likelySubtags(tag: string): { language?: string; script?: string | undefined } {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return {}
  }
}
