/** The style sheet of all pages. Text has a contrast of at least 4.5:1 (WCAG 2.2 AA) in light and dark mode. */

import { css } from '../web/assets.js'

type DefaultValue = string | { light: string; dark: string }

/** The variables that a theme may set, with their defaults. */
export const VARIABLES: Record<`--ostiary-${string}`, DefaultValue> = {
  '--ostiary-font': 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  '--ostiary-background': { light: '#f3f4f7', dark: '#0e1014' },
  '--ostiary-surface': { light: '#ffffff', dark: '#181b21' },
  '--ostiary-text': { light: '#171a21', dark: '#eceef2' },
  '--ostiary-muted': { light: '#565d6b', dark: '#a5adbb' },
  '--ostiary-line': { light: '#e2e5ea', dark: '#2b3038' },
  '--ostiary-field': { light: '#ffffff', dark: '#101318' },
  '--ostiary-field-line': { light: '#858d9b', dark: '#6c7584' },
  '--ostiary-accent': { light: '#3247c5', dark: '#a6b4ff' },
  '--ostiary-accent-hover': { light: '#2637a3', dark: '#bec8ff' },
  '--ostiary-accent-text': { light: '#ffffff', dark: '#12141c' },
  '--ostiary-danger': { light: '#a3202c', dark: '#ffb3b3' },
  '--ostiary-danger-surface': { light: '#fdf0f0', dark: '#33191c' },
  '--ostiary-warning': { light: '#7a4a00', dark: '#ffd58a' },
  '--ostiary-warning-surface': { light: '#fff6e3', dark: '#30250f' },
  '--ostiary-radius': '16px',
  '--ostiary-control-radius': '10px',
  '--ostiary-width': '27rem',
  '--ostiary-wide-width': '44rem',
  '--ostiary-logo-height': '40px',
}

/** @param light,dark The theme's declarations, checked. */
export function styleSheet(light: string, dark: string): string {
  return `:root{${defaults('light')}${light}}
@media (prefers-color-scheme:dark){:root{${defaults('dark')}${light}${dark}}}
${RULES}${/-accent:/.test(light + dark) && !/-accent-hover:/.test(light + dark) ? HOVER : ''}`
}

/** Where the theme sets the accent alone: toward the color of the text, which is darker in light mode and lighter in dark mode. */
const HOVER =
  '@supports(color:color-mix(in srgb,red,red)){:root{--ostiary-accent-hover:color-mix(in srgb,var(--ostiary-accent) 80%,var(--ostiary-text))}}'

const defaults = (scheme: 'light' | 'dark'): string =>
  Object.entries(VARIABLES)
    .map(([name, value]) => `${name}:${typeof value === 'string' ? value : value[scheme]};`)
    .join('')

const RULES = css`
:root { color-scheme: light dark; }
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; padding: 2rem 1rem;
  display: flex; flex-direction: column; align-items: center; justify-content: center;
  background: var(--ostiary-background); color: var(--ostiary-text);
  font: 1rem/1.5 var(--ostiary-font); overflow-wrap: anywhere;
}
main {
  width: 100%; max-width: var(--ostiary-width); padding: 2.5rem;
  background: var(--ostiary-surface); border: 1px solid var(--ostiary-line); border-radius: var(--ostiary-radius);
  box-shadow: 0 1px 2px rgb(0 0 0 / 4%), 0 16px 40px -12px rgb(0 0 0 / 12%);
}

.brand {
  display: flex; align-items: center; gap: .625rem; margin: 0 0 2rem;
  font-size: .9375rem; font-weight: 600; color: var(--ostiary-muted);
}
.brand img { display: block; max-width: 100%; height: var(--ostiary-logo-height); object-fit: contain; }
.mark {
  flex: none; position: relative; width: 1.75rem; height: 1.75rem; overflow: hidden;
  border-radius: .5rem; background: var(--ostiary-accent);
}
.mark::before {
  content: ""; position: absolute; left: .5625rem; right: .5625rem; top: .4375rem; bottom: 0;
  border-radius: 1rem 1rem 0 0; background: var(--ostiary-accent-text);
}

h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -.015em; text-wrap: balance; }
h2 { margin: 1.5rem 0 .5rem; font-size: .875rem; font-weight: 600; color: var(--ostiary-muted); }
p { margin: 0; }
h1 + p { margin-top: .5rem; color: var(--ostiary-muted); }
p + p { margin-top: .75rem; }
.account + p, .scopes + p, details + p { margin-top: 1rem; }
strong, bdi { font-weight: 600; color: var(--ostiary-text); }
h1 bdi { font-weight: inherit; }
code { font: .9375em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; unicode-bidi: isolate; }
a { color: var(--ostiary-accent); text-underline-offset: .2em; }
a:hover { color: var(--ostiary-accent-hover); }

form { display: grid; gap: 1.25rem; margin-top: 1.75rem; }
label { display: block; margin-bottom: .375rem; font-size: .9375rem; font-weight: 550; }
input:not([type="hidden"]) {
  display: block; width: 100%; min-height: 3rem; padding: .625rem .875rem;
  border: 1px solid var(--ostiary-field-line); border-radius: var(--ostiary-control-radius);
  background: var(--ostiary-field); color: inherit; font: inherit;
}
input[aria-invalid="true"] { border-color: var(--ostiary-danger); }
button {
  width: 100%; min-height: 3rem; padding: .625rem 1.25rem;
  border: 1px solid transparent; border-radius: var(--ostiary-control-radius);
  background: var(--ostiary-accent); color: var(--ostiary-accent-text);
  font: inherit; font-weight: 600; cursor: pointer; transition: background-color .12s, border-color .12s;
}
button:hover { background: var(--ostiary-accent-hover); }
button.quiet { background: transparent; border-color: var(--ostiary-field-line); color: var(--ostiary-text); }
button.quiet:hover { background: var(--ostiary-background); border-color: var(--ostiary-text); }
.back { margin-top: .75rem; }
.choice { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
.choice button { padding-inline: .5rem; }
:focus-visible { outline: 3px solid var(--ostiary-accent); outline-offset: 2px; border-radius: .25rem; }
input:focus-visible, button:focus-visible { border-radius: var(--ostiary-control-radius); }

.note { margin-top: 1.5rem; padding: .875rem 1rem; border-radius: var(--ostiary-control-radius); font-size: .9375rem; }
.note, .note strong { color: var(--ostiary-danger); }
.note { background: var(--ostiary-danger-surface); border: 1px solid currentcolor; }
.note.warning, .note.warning strong { color: var(--ostiary-warning); }
.note.warning { background: var(--ostiary-warning-surface); }

.account {
  display: flex; gap: .875rem; margin-top: 1.5rem; padding: .875rem 1rem;
  border: 1px solid var(--ostiary-line); border-radius: var(--ostiary-control-radius); font-size: .9375rem;
}
.account > * { min-width: 0; }
.account p + p { margin: 0; color: var(--ostiary-muted); }
.initial {
  flex: none; width: 2.75rem; height: 2.75rem; border-radius: 50%; line-height: 2.75rem; text-align: center;
  font-weight: 600; background: var(--ostiary-background); color: var(--ostiary-text);
}
.scopes { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--ostiary-line); }
.scopes li { position: relative; padding-block: .5625rem; padding-inline-start: 1.875rem; border-bottom: 1px solid var(--ostiary-line); }
.scopes li::before {
  content: ""; position: absolute; inset-inline-start: .3125rem; top: .9375rem; width: .8125rem; height: .4375rem;
  border: solid var(--ostiary-accent); border-width: 0 0 2px 2px; transform: rotate(-45deg);
}
.scopes.high {
  padding: .25rem .875rem; border: 1px solid var(--ostiary-warning); border-radius: var(--ostiary-control-radius);
  background: var(--ostiary-warning-surface);
}
.scopes.high li { font-weight: 600; }
.scopes.high li:last-child { border-bottom: 0; }
.scopes.high li::before {
  content: "!" / ""; left: .5rem; top: .5625rem; width: auto; height: auto; border: 0; transform: none;
  color: var(--ostiary-warning); font-weight: 700;
}
details > .scopes { border-top: 0; }
.facts { display: grid; gap: .75rem; margin: 1.25rem 0 0; font-size: .9375rem; }
.facts dt { color: var(--ostiary-muted); font-size: .875rem; }
.facts dd { margin: 0; font-weight: 600; }
.facts .user-code { font-size: 1.5rem; letter-spacing: .06em; }
.target { margin-top: 1rem; font-size: .9375rem; color: var(--ostiary-muted); }
.logo { margin: 0 0 1.25rem; }
.logo img {
  display: block; max-width: 8rem; height: 3.5rem; padding: .375rem; object-fit: contain;
  background: #fff; border: 1px solid var(--ostiary-line); border-radius: var(--ostiary-control-radius);
}
.links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.small { margin-top: 1.5rem; font-size: .875rem; color: var(--ostiary-muted); }
.switch { display: inline-flex; align-items: center; min-height: 2.75rem; margin-bottom: -.75rem; }

[hidden] { display: none !important; }
.wide { max-width: var(--ostiary-wide-width); }
.wide section { margin-top: 2rem; padding-top: 1.5rem; border-top: 1px solid var(--ostiary-line); }
.wide h2 { margin: 0 0 .75rem; font-size: 1.125rem; line-height: 1.4; font-weight: 650; color: var(--ostiary-text); }
h3 { margin: 0; font-size: 1rem; line-height: 1.5; font-weight: 600; }
h3 bdi { font-weight: inherit; }
.wide .facts { grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); margin-top: 0; }
.aside { font-weight: 400; color: var(--ostiary-muted); font-size: .9375rem; }
.hint { margin-top: .375rem; color: var(--ostiary-muted); font-size: .875rem; }
summary {
  display: inline-flex; align-items: center; min-height: 2.75rem; cursor: pointer;
  font-weight: 550; color: var(--ostiary-accent); text-decoration: underline; text-underline-offset: .2em;
}
summary:hover { color: var(--ostiary-accent-hover); }
details .note { margin-top: .5rem; }
details form { margin-top: .75rem; max-width: 24rem; }
.compact { width: auto; min-height: 2.75rem; padding: .4375rem 1rem; font-size: .9375rem; }
.note.done { color: var(--ostiary-text); background: var(--ostiary-background); border-color: var(--ostiary-accent); }
.rows { margin: 0; padding: 0; list-style: none; }
.rows > li, .head { display: flex; gap: .5rem 1rem; align-items: center; justify-content: space-between; }
.rows > li { padding: 1rem 0; border-top: 1px solid var(--ostiary-line); }
.rows > li:first-child { padding-top: 0; border-top: 0; }
.rows > li.client { display: block; }
.aside + .rows > li:first-child { padding-top: 1rem; }
.rows > li > *, .head > * { min-width: 0; }
.head { flex-wrap: wrap; }
.head > :first-child { flex: 1 1 11rem; }
.rows form { flex: none; margin: 0; }
.rows p { margin-top: .125rem; color: var(--ostiary-muted); font-size: .9375rem; }
.here {
  display: inline-block; padding: 0 .5rem; border: 1px solid var(--ostiary-line); border-radius: 1rem;
  font-size: .8125rem; font-weight: 550; color: var(--ostiary-muted); white-space: nowrap;
}
.rows bdi { font-weight: 550; }
.rows .switch { flex: none; margin: 0; }
.rows + form { justify-items: start; margin: 0; padding-top: 1rem; border-top: 1px solid var(--ostiary-line); }
.rows + .aside { margin-top: .5rem; }
.wide section > .aside + form { justify-items: start; margin-top: 1rem; }
.allowed { margin-top: .5rem; }
.allowed + .allowed { margin-top: 1.25rem; }
.allowed .scopes { margin: .25rem 0; border-top: 0; }
.allowed .scopes li { padding-block: .1875rem; border-bottom: 0; }
.allowed .scopes li::before { top: .5625rem; }

@media (max-width: 30rem) {
  .rows > li:not(.client) { flex-wrap: wrap; }
  .rows > li:not(.client) > div { flex: 1 1 100%; }
  body { padding: 0; justify-content: flex-start; background: var(--ostiary-surface); }
  main { max-width: none; padding: 1.75rem 1.25rem; border: 0; border-radius: 0; box-shadow: none; }
}
@media (prefers-color-scheme: dark) { main { box-shadow: none; } }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@media (forced-colors: active) {
  button, button.quiet { border-color: ButtonText; }
  .mark { border: 1px solid CanvasText; }
  .mark::before { background: CanvasText; }
  .scopes li::before { border-color: CanvasText; }
  :focus-visible { outline-color: Highlight; }
}
`
