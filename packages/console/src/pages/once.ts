/** What is shown once: a link, a secret. */

import type { Html } from '@ostiary/identity'
import type { Visit } from '../visit.js'
import { linkButton, pageHead } from './parts.js'
import { consolePage } from './shell.js'

interface Once {
  area: string
  title: string
  lead: string
  label: string
  value: string
  more?: Html | false
  back: { href: string; text: string }
}

/** A page with a value that is not shown again. */
export function oncePage(c: Visit, once: Once): Response {
  const { area, title, lead, label, value, more = false, back } = once
  const { html } = c
  const body = html`${pageHead(c, { title, lead })}
<div class="field once"><label for="once">${label}</label>
<input id="once" type="text" readonly value="${value}" autocomplete="off"></div>
${more}
<p>${linkButton(c, back)}</p>`
  return consolePage(c, { title, body, area })
}
