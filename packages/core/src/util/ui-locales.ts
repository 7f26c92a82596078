/** The parameter `ui_locales`: languages for the pages, the preferred one first (OpenID Connect Core §3.1.2.1). */

/** Limits, because a pending request contains the tags. BCP 47 §4.4.1 recommends room for 35 characters. */
const MAX_TAGS = 5
const MAX_TAG_LENGTH = 35
/** Characters. A longer value is ignored, like every value that is not understood: a language is never an error. */
const MAX_VALUE_LENGTH = 1024

/** Whether a text has the form of a language tag (BCP 47). */
export const isLanguageTag = (text: string): boolean => /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,8}$/i.test(text)

/** The first well-formed tags of the value, each once. */
export function parseUiLocales(value: string | null): string[] {
  if (value === null || value.length > MAX_VALUE_LENGTH) return []
  const tags = value.split(' ').filter((tag) => tag.length <= MAX_TAG_LENGTH && isLanguageTag(tag))
  return [...new Set(tags)].slice(0, MAX_TAGS)
}

/** The same for the query of a request: for an error page, whose request may not be valid. */
export function uiLocalesOf({ url }: Request): string[] {
  if (!url.includes('ui_locales=')) return []
  return parseUiLocales(new URL(url).searchParams.get('ui_locales'))
}
