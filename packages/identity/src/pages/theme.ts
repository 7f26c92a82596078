/** The theme of the pages: a product name, a logo and CSS variables, checked so that no value can inject CSS or a header. */

import { createHash } from 'node:crypto'
import { ConfigError, type ConfigFault } from '@ostiary/core'
import { styleSheet, VARIABLES } from './style.js'

/** The values of CSS variables by name, e.g. `--ostiary-accent`. The README lists the names. */
export type ThemeVariables = Record<`--ostiary-${string}`, string>

/** The product name, the logo and the colors of the pages. */
export interface Theme {
  /** The product name, shown at the top of every page and in its title. The issuer's host when absent. */
  name?: string
  /** An https URL, a path of this origin, or `data:image/…`. Shown instead of the name, which becomes its `alt` text. */
  logo_url?: string
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
  /** The source for `img-src`; null when the logo has this origin, or there is none. */
  logo_source: string | null
  css: string
  /** A hash of the style sheet, for its URL. */
  version: string
}

/** Checks a theme and builds its style sheet. @param more Further rules. @throws ThemeError */
export function resolveTheme(theme: Theme = {}, more = ''): ResolvedTheme {
  const light = declarations(theme.variables, 'theme.variables')
  const dark = declarations(theme.dark_variables, 'theme.dark_variables')
  const css = styleSheet(light, dark) + more
  const logo = theme.logo_url === undefined ? null : checkLogo(theme.logo_url)
  return {
    name: theme.name ?? null,
    logo_url: logo?.logo_url ?? null,
    logo_source: logo?.logo_source ?? null,
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

function checkLogo(logo_url: string): Pick<ResolvedTheme, 'logo_url' | 'logo_source'> {
  if (!logo_url.startsWith('//') && /^\/[\x21-\x5b\x5d-\x7e]*$/.test(logo_url))
    return { logo_url, logo_source: null }
  if (/^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,][\x21-\x5b\x5d-\x7e]*$/.test(logo_url))
    return { logo_url, logo_source: 'data:' }
  const url = URL.canParse(logo_url) ? new URL(logo_url) : null
  // The host is written into the Content-Security-Policy, and URLs allow characters in it that would start another directive.
  if (url?.protocol === 'https:' && /^[a-z0-9.-]+$/.test(url.hostname))
    return { logo_url: url.href, logo_source: url.origin }
  throw new ThemeError({
    path: 'theme.logo_url',
    message:
      'give an https URL, a path of this origin that starts with a single /, or a data: URL of an image',
  })
}
