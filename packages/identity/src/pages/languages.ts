/** The languages of the pages: the built-in ones, and those of the operator. */

import type { ConfigFault } from '@ostiary/core'
import {
  acceptedLanguages,
  catalogFaults,
  de,
  directionOf,
  en,
  findLanguage,
  fr,
  type LanguageCatalog,
  type LanguagesOptions,
  lookUp,
} from '@ostiary/messages'
import { createLanguage, type Language, type LanguageSource } from './language.js'

export interface Languages {
  /** The language for a request. @param ui_locales Languages that the client asks for. */
  choose(ui_locales: readonly string[], request: Request): Language
}

/** The first language is the one whose texts replace missing ones. Its dates have the day before the month. */
const ENGLISH: LanguageSource = { tag: 'en', locale: 'en-GB', messages: en }
const BUILT_IN: readonly LanguageSource[] = [
  ENGLISH,
  { tag: 'de', messages: de },
  { tag: 'fr', messages: fr },
]

const DEFAULT_LANGUAGE = 'en'

/** What is wrong with the languages, with paths that start with `languages.`; empty when nothing is. */
export function languagesFaults(options: LanguagesOptions = {}): ConfigFault[] {
  const { catalogs = [] } = options
  const unknown = Object.keys(options).filter((key) => key !== 'default' && key !== 'catalogs')
  const faults = [
    ...unknown.map((key) => ({ path: `languages.${key}`, message: 'there is no such option' })),
    ...(Array.isArray(catalogs)
      ? catalogs.flatMap(faultsOf)
      : [{ path: 'languages.catalogs', message: 'give a list' }]),
  ]
  if (faults.length > 0) return faults
  return [...repeatedLanguages(catalogs), ...defaultFaults(options)]
}

/** @param options Without faults. */
export function createLanguages(options: LanguagesOptions = {}): Languages {
  const languages = sourcesOf(options).map(createLanguage)
  const [first = createLanguage(ENGLISH)] = languages
  const standard = lookUp(options.default ?? DEFAULT_LANGUAGE, languages) ?? first
  return {
    choose: (ui_locales, { headers }) =>
      findLanguage(ui_locales, languages) ??
      findLanguage(acceptedLanguages(headers.get('accept-language')), languages) ??
      standard,
  }
}

/** The built-in languages, each replaced by the operator's catalog for it, and the operator's other languages. */
function sourcesOf({ catalogs = [] }: LanguagesOptions): LanguageSource[] {
  const added = catalogs.map(sourceOf)
  const others = BUILT_IN.filter(({ tag }) => !added.some((source) => source.tag === tag))
  return [...others, ...added]
}

/** The texts of a catalog, over those of the built-in language that is nearest to it. */
function sourceOf({ language, direction, messages, scopes }: LanguageCatalog): LanguageSource {
  const tag = canonicalTag(language)
  const base = lookUp(tag, BUILT_IN) ?? ENGLISH
  return {
    tag,
    ...(base.tag === tag && base.locale !== undefined && { locale: base.locale }),
    direction: direction ?? directionOf(tag),
    messages: { ...base.messages, ...messages },
    ...(scopes && { scopes }),
  }
}

const faultsOf = (catalog: LanguageCatalog, index: number): ConfigFault[] =>
  catalogFaults(catalog).map((found) => ({
    ...found,
    path: `languages.catalogs.${index}${found.path === '' ? '' : `.${found.path}`}`,
  }))

/** Two catalogs of one language: it would not be clear which text counts. */
function repeatedLanguages(catalogs: readonly LanguageCatalog[]): ConfigFault[] {
  const tags = catalogs.map(({ language }) => canonicalTag(language))
  return tags.flatMap((tag, index) =>
    tags.indexOf(tag) < index
      ? [{ path: `languages.catalogs.${index}.language`, message: `another catalog has the language ${tag}` }]
      : [],
  )
}

function defaultFaults(options: LanguagesOptions): ConfigFault[] {
  const sources = sourcesOf(options)
  if (options.default === undefined || lookUp(String(options.default), sources)) return []
  const known = sources.map(({ tag }) => tag).join(', ')
  return [{ path: 'languages.default', message: `there is no such language; the languages are ${known}` }]
}

const canonicalTag = (language: string): string => new Intl.Locale(language).toString()
