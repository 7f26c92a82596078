/** A mail as text and as HTML: plain sentences, one button, no images and nothing that is fetched from elsewhere. */

import type { Letter } from '../outbox/letter.js'
import { html } from '../pages/html.js'
import type { Language } from '../pages/language.js'
import { VARIABLES } from '../pages/style.js'
import type { ThemeVariables } from '../pages/theme.js'

/** How a letter looks. */
export interface LetterStyle {
  language: Language
  /** The name of the provider. */
  provider: string
  /** The theme's, which were checked. */
  variables: ThemeVariables
}

export const textOf = ({ before, code, button, after }: Letter, provider: string): string =>
  [
    ...before,
    ...(code === undefined ? [] : [code]),
    ...(button === null ? [] : [`${button.text}:\n${button.url}`]),
    ...after,
    `-- \n${provider}`,
  ].join('\n\n')

/** Mail clients know few colors of CSS: a value that they do not know is ignored, and the one before it counts. */
const COLORS = ['background', 'surface', 'text', 'muted', 'line', 'accent', 'accent-text'] as const

export function htmlOf({ subject, title, before, code, button, after }: Letter, style: LetterStyle): string {
  const { language, provider } = style
  const color = colorsOf(style.variables)
  const paragraph = (text: string) =>
    html`<p style="margin:0 0 16px;overflow-wrap:anywhere;${color('color', 'text')}">${text}</p>
`
  return html`<!doctype html>
<html lang="${language.tag}" dir="${language.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${subject}</title>
</head>
<body style="margin:0;padding:24px 12px;${color('background-color', 'background')}font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif">
<div role="main" style="max-width:480px;margin:0 auto;padding:32px;${color('background-color', 'surface')}border-width:1px;border-style:solid;${color('border-color', 'line')}border-radius:12px">
<p style="margin:0 0 24px;font-weight:600;${color('color', 'muted')}">${provider}</p>
<h1 style="margin:0 0 16px;overflow-wrap:anywhere;font-size:22px;line-height:1.25;${color('color', 'text')}">${title}</h1>
${before.map(paragraph)}${
  code !== undefined &&
  html`<p style="margin:24px 0;font-size:28px;font-weight:600;letter-spacing:.08em;${color('color', 'text')}">${code}</p>
`
}${
  button !== null &&
  html`<p style="margin:24px 0"><a href="${button.url}" style="display:inline-block;padding:12px 20px;border-radius:10px;font-weight:600;text-decoration:none;${color('background-color', 'accent')}${color('color', 'accent-text')}">${button.text}</a></p>
<p style="margin:0 0 24px;font-size:14px;word-break:break-all;${color('color', 'muted')}">${button.url}</p>
`
}${after.map(paragraph)}</div>
</body>
</html>
`.toString()
}

/** @returns The declaration with the default color, followed by that of the theme where it has one. */
function colorsOf(variables: ThemeVariables) {
  return (property: string, name: (typeof COLORS)[number]): string => {
    const variable = `--ostiary-${name}` as const
    const standard = VARIABLES[variable]
    const declaration = (value: string) => `${property}:${value};`
    const own = variables[variable]
    return `${declaration(typeof standard === 'object' ? standard.light : '')}${own === undefined ? '' : declaration(own)}`
  }
}
