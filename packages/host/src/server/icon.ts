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

const rules = ({ ground, arch }: Colors): string => `rect{fill:${ground}}path{fill:${arch}}`

/** @returns Makes the answer. */
export function iconOf({ variables, dark_variables }: Theme = {}): () => Promise<Response> {
  const light = colorsOf(variables, { ground: '#3247c5', arch: '#ffffff' })
  const dark = colorsOf(dark_variables, colorsOf(variables, { ground: '#a6b4ff', arch: '#12141c' }))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><style>${rules(light)}@media (prefers-color-scheme:dark){${rules(dark)}}</style><rect width="28" height="28" rx="8"/><path d="M9 28V12a5 5 0 0 1 10 0v16z"/></svg>`
  const headers = {
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=86400',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'x-content-type-options': 'nosniff',
  }
  return async () => new Response(svg, { headers })
}
