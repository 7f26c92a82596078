/** What is shown once: a link, a secret. */

import type { Html } from '@ostiary/identity'
import type { Area, Visit } from '../visit.js'
import { pageHead } from './parts.js'
import { consolePage } from './shell.js'

interface Once {
  area: Area
  title: string
  lead: string
  label: string
  value: string
  more?: Html | false
  back: { href: string; text: string }
}

export function oncePage(c: Visit, { area, title, lead, label, value, more = false, back }: Once): Response {
  const { html } = c
  const body = html`${pageHead(c, { title, lead })}
<div class="field once"><label for="once">${label}</label>
<input id="once" type="text" readonly value="${value}" autocomplete="off"></div>
${more}
<p><a class="button quiet" href="${back.href}">${back.text}</a></p>`
  return consolePage(c, { title, body, area })
}
