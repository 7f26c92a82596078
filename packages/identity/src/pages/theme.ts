/** The theme of the pages: a product name, a logo, links and CSS variables, checked so that no value can inject CSS or a header. */

import { createHash } from 'node:crypto'
import { ConfigError, type ConfigFault } from '@ostiary/core'
import { styleSheet, VARIABLES } from './style.js'

const MAX_LINKS = 5
const MAX_LINK_TEXT_LENGTH = 60

/** The values of CSS variables by name, e.g. `--ostiary-accent`. `docs/theme.md` in the repository lists the names. */
export type ThemeVariables = Record<`--ostiary-${string}`, string>

/** A link at the end of every page. */
export interface ThemeLink {
  /** What it says: at most 60 characters. */
  text: string
  /** An https URL, or a path of this origin. */
  href: string
}

/** The product name, the logo, the colors and the links of the pages. */
export interface Theme {
  /** The product name, shown at the top of every page and in its title. The issuer's host when absent. */
  name?: string
  /** An https URL, a path of this origin, or `data:image/…`. Shown instead of the name, which becomes its `alt` text. */
  logo_url?: string
  /** The icon of the pages in the browser, as `logo_url`; the logo when absent. */
  icon_url?: string
  /** At most five, such as the privacy policy and the terms of use. */
  links?: readonly ThemeLink[]
  /** CSS variables for light and dark mode. */
  variables?: ThemeVariables
  /** CSS variables for dark mode only; they replace those of `variables`. */
  dark_variables?: ThemeVariables
}

/** A value of the theme is invalid; the message starts with its path. */
export class ThemeError extends ConfigError {
  readonly fault: ConfigFault

  constructor(fault: ConfigFault) {
    super(fault)
    this.name = 'ThemeError'
    this.fault = fault
  }
}

/** A checked theme, with its style sheet. */
export interface ResolvedTheme {
  name: string | null
  logo_url: string | null
  icon_url: string | null
  links: readonly ThemeLink[]
  /** The sources for `img-src` besides this origin. */
  image_sources: readonly string[]
  css: string
  /** A hash of the style sheet, for its URL. */
  version: string
}

/** Checks a theme and builds its style sheet. @param more Further rules. @throws ThemeError */
export function resolveTheme(theme: Theme = {}, more = ''): ResolvedTheme {
  const light = declarations(theme.variables, 'theme.variables')
  const dark = declarations(theme.dark_variables, 'theme.dark_variables')
  const css = styleSheet(light, dark) + more
  const logo = image(theme.logo_url, 'theme.logo_url')
  const icon = image(theme.icon_url, 'theme.icon_url') ?? logo
  return {
    name: theme.name ?? null,
    logo_url: logo?.url ?? null,
    icon_url: icon?.url ?? null,
    links: links(theme.links ?? []),
    image_sources: [...new Set([logo?.source, icon?.source].filter((source) => typeof source === 'string'))],
    css,
    // At the start, core's hash in JavaScript takes 6 ms for a style sheet.
    version: createHash('sha256').update(css).digest('base64url').slice(0, 12),
  }
}

function declarations(variables: ThemeVariables | undefined, path: string): string {
  return Object.entries(variables ?? {})
    .map(([name, value]) => {
      if (!Object.hasOwn(VARIABLES, name))
        throw new ThemeError({
          path: `${path}.${name}`,
          message: `unknown variable; the known variables are ${Object.keys(VARIABLES).join(', ')}`,
        })
      if (!isPlainValue(value))
        throw new ThemeError({
          path: `${path}.${name}`,
          message: `${JSON.stringify(value)} is not a plain CSS value`,
        })
      return `${name}:${value};`
    })
    .join('')
}

const CSS_FUNCTIONS = new Set(
  'rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark calc min max clamp var'.split(' '),
)

/** Accepts colors, lengths, numbers and font names. Refuses text that ends the declaration, loads a resource or opens a string. */
function isPlainValue(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 200) return false
  const unquoted = value.replace(/"[\w .-]*"|'[\w .-]*'/g, 'text')
  if (!/^[\w #%.,()/+*-]+$/.test(unquoted) || !/[\w%)]/.test(unquoted) || unquoted.includes('/*'))
    return false
  return isBalanced(unquoted) && functionsIn(unquoted).every((name) => name === '' || CSS_FUNCTIONS.has(name))
}

/** The name before each opening parenthesis; empty for a parenthesis without a name. */
const functionsIn = (value: string): string[] =>
  [...value.matchAll(/([\w-]+)(\(?)|\(/g)]
    .filter(([text]) => text.endsWith('('))
    .map(([, name = '']) => name.toLowerCase())

function isBalanced(value: string): boolean {
  let depth = 0
  for (const character of value) {
    if (character === '(') depth++
    if (character === ')' && --depth < 0) return false
  }
  return depth === 0
}

interface Image {
  url: string
  /** For `img-src`; null for a path of this origin. */
  source: string | null
}

function image(given: string | undefined, path: string): Image | null {
  if (given === undefined) return null
  if (/^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,][\x21-\x5b\x5d-\x7e]*$/.test(given))
    return { url: given, source: 'data:' }
  const found = address(given)
  if (found !== null) return found
  throw new ThemeError({
    path,
    message:
      'give an https URL, a path of this origin that starts with a single /, or a data: URL of an image',
  })
}

/** An https URL or a path of this origin; null for any other. */
function address(given: unknown): Image | null {
  if (typeof given !== 'string') return null
  if (!given.startsWith('//') && /^\/[\x21-\x5b\x5d-\x7e]*$/.test(given)) return { url: given, source: null }
  const url = URL.canParse(given) ? new URL(given) : null
  // The host is written into the Content-Security-Policy, and URLs allow characters in it that would start another directive.
  return url?.protocol === 'https:' && /^[a-z0-9.-]+$/.test(url.hostname)
    ? { url: url.href, source: url.origin }
    : null
}

function links(given: readonly ThemeLink[]): ThemeLink[] {
  if (!Array.isArray(given) || given.length > MAX_LINKS)
    throw new ThemeError({ path: 'theme.links', message: `give a list of at most ${MAX_LINKS} links` })
  return given.map(({ text, href }, index) => {
    const path = `theme.links.${index}`
    if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_LINK_TEXT_LENGTH)
      throw new ThemeError({
        path: `${path}.text`,
        message: `give a text of at most ${MAX_LINK_TEXT_LENGTH} characters`,
      })
    const found = address(href)
    if (found === null)
      throw new ThemeError({
        path: `${path}.href`,
        message: 'give an https URL, or a path of this origin that starts with a single /',
      })
    return { text, href: found.url }
  })
}
