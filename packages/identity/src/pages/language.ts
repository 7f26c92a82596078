/** A language of the pages: its texts, and how it writes numbers and lists. */

import {
  type Catalog,
  type Message,
  type MessageKey,
  type MessageParameter,
  type MessagePart,
  partsOf,
} from '@ostiary/messages'
import { type Html, type HtmlValue, html } from './html.js'

/** The values of a message's parameters; no argument for a message without parameters. */
type Values<Key extends MessageKey, Value> = [MessageParameter<Key>] extends [never]
  ? []
  : [{ readonly [name in MessageParameter<Key>]: name extends 'count' ? number : Value }]

/** Writes the texts of one language. */
export interface Language {
  /** BCP 47, for `<html lang>`. */
  readonly tag: string
  /** For the formats of `Intl`. */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  /** A message as plain text. */
  text<Key extends MessageKey>(key: Key, ...values: Values<Key, string | number>): string
  /** A message whose parameters may be markup. Its own text is escaped. */
  markup<Key extends MessageKey>(key: Key, ...values: Values<Key, HtmlValue>): Html
  /** What a scope of the operator allows, or null when the operator has given no text in this language. */
  scope(name: string): string | null
  /** E.g. `a, b and c`. */
  list(items: readonly HtmlValue[]): Html
}

/** A catalog, and what is known about its language. */
export interface LanguageSource {
  tag: string
  locale?: string
  direction?: 'ltr' | 'rtl'
  messages: Catalog
  /** The operator's texts for scopes, by their names. */
  scopes?: Readonly<Record<string, string>>
}

/** How a message is written, by its key. */
interface Writer {
  parts: ReadonlyMap<string, readonly MessagePart[]>
  plural: boolean
}

/** The formats of a language, made with its first page: they load data that a server without pages does not need. */
function formatsOf(locale: string) {
  const make = () => ({
    numbers: new Intl.NumberFormat(locale),
    plurals: new Intl.PluralRules(locale),
    lists: new Intl.ListFormat(locale, { type: 'conjunction' }),
  })
  let made: ReturnType<typeof make> | undefined
  return () => {
    made ??= make()
    return made
  }
}

export function createLanguage(source: LanguageSource): Language {
  const { tag, locale = tag, direction = 'ltr', messages } = source
  const scopes = new Map(Object.entries(source.scopes ?? {}))
  const writers = new Map(Object.entries(messages).map(([key, message]) => [key, writerOf(message)]))
  const formats = formatsOf(locale)
  /** The parts of a message, with values in the place of its parameters. */
  const written = <Value>(key: string, values: Readonly<Record<string, Value>> = {}) => {
    const { parts, plural } = writers.get(key) ?? MISSING
    const category = plural ? formats().plurals.select(Number(values.count)) : 'other'
    return (parts.get(category) ?? parts.get('other') ?? []).map((part) => {
      if (typeof part === 'string') return part
      const value = values[part.parameter]
      return typeof value === 'number' ? formats().numbers.format(value) : value
    })
  }
  return {
    tag,
    locale,
    direction,
    text: (key, ...[values]) => written<unknown>(key, values).join(''),
    markup: (key, ...[values]) => html`${written<HtmlValue>(key, values)}`,
    scope: (name) => scopes.get(name) ?? null,
    list: (items) =>
      html`${formats()
        .lists.formatToParts(items.map((_, index) => String(index)))
        .map(({ type, value }) => (type === 'element' ? items[Number(value)] : value))}`,
  }
}

const MISSING: Writer = { parts: new Map(), plural: false }

const writerOf = (message: Message): Writer =>
  typeof message === 'string'
    ? { parts: new Map([['other', partsOf(message)]]), plural: false }
    : {
        parts: new Map(Object.entries(message).map(([category, text]) => [category, partsOf(text)])),
        plural: true,
      }
