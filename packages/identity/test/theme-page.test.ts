/** docs/theme.md lists the variables of the theme; `npx vitest run test/theme-page.test.ts -u` writes it. */

import { expect, it } from 'vitest'
import { VARIABLES } from '../src/pages/style.js'

const MEANINGS: Record<string, string> = {
  '--ostiary-font': 'the font family',
  '--ostiary-background': 'the page behind the card',
  '--ostiary-surface': 'the card',
  '--ostiary-text': 'the main text',
  '--ostiary-muted': 'secondary text',
  '--ostiary-line': 'borders of the card and of lists',
  '--ostiary-field': 'input fields',
  '--ostiary-field-line': 'borders of input fields and of secondary buttons',
  '--ostiary-accent': 'the main button, links, focus rings',
  '--ostiary-accent-hover':
    'the same under the pointer; where a theme sets the accent alone, it follows from that',
  '--ostiary-accent-text': 'the text on the main button',
  '--ostiary-danger': 'the text of errors',
  '--ostiary-danger-surface': 'the ground of errors',
  '--ostiary-warning': 'the text of warnings',
  '--ostiary-warning-surface': 'the ground of warnings',
  '--ostiary-radius': 'the corners of the card',
  '--ostiary-control-radius': 'the corners of buttons and fields',
  '--ostiary-width': 'the greatest width of the card',
  '--ostiary-wide-width': 'the same on the account page',
  '--ostiary-logo-height': 'the height of the logo',
}

it('docs/theme.md is up to date', async () => {
  const rows = Object.entries(VARIABLES).map(([name, value]) => {
    const { light, dark } = typeof value === 'string' ? { light: value, dark: value } : value
    return `| \`${name}\` | ${MEANINGS[name]} | \`${light}\` | ${dark === light ? 'the same' : `\`${dark}\``} |`
  })
  expect(Object.keys(MEANINGS)).toEqual(Object.keys(VARIABLES))
  await expect(page(rows)).toMatchFileSnapshot('../../../docs/theme.md')
})

const page = (rows: readonly string[]): string => `# Look of the pages

The name, the logo, the colors and the links of the sign-in, consent, account, sign-out and error pages are \`theme\` in the configuration.
The words are in [languages](pages-and-languages.md). This page is generated.

\`\`\`json
{
  "theme": {
    "name": "Acme",
    "logo_url": "https://cdn.acme.example/logo.svg",
    "icon_url": "https://cdn.acme.example/icon.png",
    "links": [
      { "text": "Privacy", "href": "https://acme.example/privacy" },
      { "text": "Terms", "href": "https://acme.example/terms" }
    ],
    "variables": { "--ostiary-accent": "#0a6b4f", "--ostiary-accent-hover": "#07523c" },
    "dark_variables": { "--ostiary-accent": "#5ad1a8", "--ostiary-accent-hover": "#8be3c4" }
  }
}
\`\`\`

- \`name\` is at the top of every page and in its title. Without it, the host of the issuer is there.
- \`logo_url\` stands in the place of the name, which becomes its alternative text: an https URL, a path of the same origin, or a \`data:\` URL
  of an image. The Content-Security-Policy of the pages allows its origin.
- \`icon_url\` is the icon of the pages in the browser, with the same rules. Without it, the logo is. Without both, the pages name no icon:
  the browser asks for \`/favicon.ico\`, where the server has the mark of the pages in the accent color (\`#\` and digits).
- \`links\` are at the end of every page, at most five: a text of at most 60 characters, and an https URL or a path of the same origin. Without
  them the pages are as they were before.
- \`variables\` are values of CSS: colors, lengths, fonts. They hold in the light and in the dark scheme, \`dark_variables\` in the dark one alone:
  set a color in both. A text in a color needs a contrast of 4.5 to 1 to its ground; \`ostiary doctor\` says where that of the buttons is
  lower.

A wrong value is an error when the server starts or reads its configuration again; \`ostiary doctor\` reports it too. In an application that
embeds the provider, \`theme\` is an option of \`createIdentity\` with the same keys.
[A preview](#preview) shows all pages.

| variable | what it sets | default, light | default, dark |
| --- | --- | --- | --- |
${rows.join('\n')}

## Preview

\`npx -y pnpm@12.21.0 dev\` starts the server from its sources, and beside it, on this machine alone, a list of the pages with invented data:
each page and state, in light and in dark, in English, German and French, with the theme and the languages of the configuration. It is a
program of its own: a server that is built or installed does not contain it.
`
