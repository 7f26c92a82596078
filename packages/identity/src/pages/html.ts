/** Markup that is escaped by construction: only what this template made passes unescaped. */

declare const brand: unique symbol

/** Made by `html` alone; an object that merely looks like it is not rendered. */
export interface Html {
  readonly [brand]: true
  toString(): string
}

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[]

// Membership cannot be forged by data, as a property or a prototype could.
const textOfMarkup = new WeakMap<object, string>()

/**
 * Strings and numbers are escaped, lists joined; null, undefined and false are nothing. A whole `href`, `src` or
 * `action` keeps its value only when it is http(s), a path of this origin or (for `src`) an image as `data:` URL.
 * @throws Error when an attribute value stands outside quotes: a mistake in the template.
 */
export function html(template: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let text = template[0] ?? ''
  let before = text
  values.forEach((value, index) => {
    const after = template[index + 1] ?? ''
    text += interpolate(value, before) + after
    // Two values side by side stand in the same place.
    if (after !== '') before = after
  })
  const markup = { toString: () => text }
  textOfMarkup.set(markup, text)
  return markup as Html
}

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
  // A parser drops or replaces it, depending on where it stands.
  '\0': '\uFFFD',
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'\0]/g, (character) => ENTITIES[character] ?? '')

/** Browsers ignore tabs and line ends inside a URL, and read a backslash as a slash: neither may stand here. */
function safeUrl(url: string, attribute: string): string {
  if (/[\p{Cc}\\ ]/u.test(url)) return ''
  if (/^https?:\/\//i.test(url) || /^\/(?!\/)/.test(url)) return url
  return attribute.toLowerCase() === 'src' && /^data:image\//i.test(url) ? url : ''
}
