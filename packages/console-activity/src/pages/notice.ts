/** A page without an audit to show: it is off, or in memory. */

import { consolePage, emptyState, pageHead } from '@ostiary/console'
import type { OwnVisit } from '../visit.js'

const TITLES = { 'sign-ins': 'sign_ins.title', audit: 'audit.title' } as const

/** @param problem What the API says of it, in English. */
export function notice(c: OwnVisit, area: keyof typeof TITLES, { detail }: { detail: string }): Response {
  const { html, text } = c
  const title = text(TITLES[area])
  const action = html`<p lang="en"><small>${detail}</small></p>`
  const body = html`${pageHead(c, { title })}
${emptyState(c, { title: text('today.off'), sentence: text('today.off_why'), action })}`
  return consolePage(c, { title, body, area })
}
