/** Markup that is escaped by construction: only the results of the `html` template are inserted unescaped. */

declare const brand: unique symbol

/** Made by `html` only; another object of this shape is not rendered. */
export interface Html {
  readonly [brand]: true
  toString(): string
}

/** What `html` takes. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[]

// Data can imitate a property or a prototype, but not membership in this map.
const textOfMarkup = new WeakMap<object, string>()

/**
 * A template that escapes strings and numbers, joins lists, and omits null, undefined and false. The whole value of an `href`, `src` or
 * `action` must be an http(s) URL, a path of this origin or (`src`) an image as `data:` URL; otherwise it is empty.
 * @throws Error when the template has an attribute value without quotes.
 */
export function html(template: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let text = template[0] ?? ''
  let before = text
  values.forEach((value, index) => {
    const after = template[index + 1] ?? ''
    text += interpolate(value, before) + after
    // Two adjacent values are in the same context.
    if (after !== '') before = after
  })
  const markup = { toString: () => text }
  textOfMarkup.set(markup, text)
  return markup as Html
}

/** Of a field whose value is a name or a code: no keyboard corrects it. */
export const AS_TYPED = html` autocapitalize="none" autocorrect="off" spellcheck="false"`

/** Whether `html` has made it. */
export const isMarkup = (value: unknown): value is Html => textOfMarkup.has(value as object)

function interpolate(value: HtmlValue, before: string): string {
  if (/=\s*$/.test(before)) throw new Error(`Quote the attribute after: ${before.slice(-40)}`)
  const attribute = /[\s"'](href|src|action|formaction)\s*=\s*["']$/i.exec(before)?.[1]
  if (attribute === undefined) return render(value)
  return typeof value === 'string' ? escapeHtml(safeUrl(value, attribute)) : ''
}

function render(value: HtmlValue): string {
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(render).join('')
  return typeof value === 'object' && value !== null ? (textOfMarkup.get(value) ?? '') : ''
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // HTML parsers drop or replace it, depending on the context.
  '\0': '\uFFFD',
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'\0]/g, (character) => ENTITIES[character] ?? '')

/** Refuses tabs and line ends, which browsers ignore in a URL, and backslashes, which they read as slashes. */
function safeUrl(url: string, attribute: string): string {
  if (/[\p{Cc}\\ ]/u.test(url)) return ''
  if (/^https?:\/\//i.test(url) || /^\/(?!\/)/.test(url)) return url
  return attribute.toLowerCase() === 'src' && /^data:image\//i.test(url) ? url : ''
}
