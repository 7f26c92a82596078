/** The icon that browsers ask for at `/favicon.ico` where the pages name none: the mark of the pages, as SVG, in their accent color. */

import type { Theme } from '@ostiary/identity'

type Variables = Theme['variables']

/** Another value of CSS means nothing outside of the style sheet. */
const hexColor = (variables: Variables, name: `--ostiary-accent${'' | '-text'}`): string | undefined => {
  const value = variables?.[name]
  return value !== undefined && /^#[0-9a-f]{3,8}$/i.test(value) ? value : undefined
}

interface Colors {
  ground: string
  arch: string
}

const colorsOf = (variables: Variables, otherwise: Colors): Colors => ({
  ground: hexColor(variables, '--ostiary-accent') ?? otherwise.ground,
  arch: hexColor(variables, '--ostiary-accent-text') ?? otherwise.arch,
})

/** Of the mark, and of the buttons of the pages: their ground, and what stands on it. */
function colorsIn({ variables, dark_variables }: Theme): { light: Colors; dark: Colors } {
  return {
    light: colorsOf(variables, { ground: '#3247c5', arch: '#ffffff' }),
    dark: colorsOf(dark_variables, colorsOf(variables, { ground: '#a6b4ff', arch: '#12141c' })),
  }
}

/** The contrast of the text of a button to its ground in each scheme, from 1 to 21 (WCAG 2.2). */
export function buttonContrasts(theme: Theme): { light: number; dark: number } {
  const { light, dark } = colorsIn(theme)
  return { light: contrast(light), dark: contrast(dark) }
}

function contrast({ ground, arch }: Colors): number {
  const [darker = 0, lighter = 0] = [luminance(ground), luminance(arch)].sort((one, other) => one - other)
  return (lighter + 0.05) / (darker + 0.05)
}

/** The relative luminance of WCAG 2.2. @param color As `#fff` or `#ffffff`; what says how opaque it is, is not read. */
function luminance(color: string): number {
  const width = color.length < 7 ? 1 : 2
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((part) => {
    const digits = color.slice(1 + part * width, 1 + (part + 1) * width)
    const value = Number.parseInt(digits.padStart(2, digits), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const rules = ({ ground, arch }: Colors): string => `rect{fill:${ground}}path{fill:${arch}}`

/** @returns Makes the answer. */
export function iconOf(theme: Theme = {}): () => Promise<Response> {
  const { light, dark } = colorsIn(theme)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><style>${rules(light)}@media (prefers-color-scheme:dark){${rules(dark)}}</style><rect width="28" height="28" rx="8"/><path d="M9 28V12a5 5 0 0 1 10 0v16z"/></svg>`
  const headers = {
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=86400',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'x-content-type-options': 'nosniff',
  }
  return async () => new Response(svg, { headers })
}
