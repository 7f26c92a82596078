/** The first page: is it healthy, what changed today, what is refused most. */

import { consolePage, emptyState, pageHead, refusalFor } from '@ostiary/console'
import type { OwnVisit } from '../visit.js'
import { healthSection } from './health.js'
import { type HintOf, refusalsSection } from './refusals.js'
import { changesSection } from './today.js'

export async function homePage(
  c: OwnVisit,
  parts: readonly string[],
  hintOf: HintOf,
): Promise<Response | null> {
  if (parts.length > 0) return null
  const refusal = refusalFor(c, null)
  if (refusal !== null) return refusal
  const { html, text } = c
  const sections = await Promise.all([healthSection(c), changesSection(c), refusalsSection(c, hintOf)])
  const shown = sections.filter((each) => each !== false)
  const title = text('home.title')
  const body = html`${pageHead(c, { title, lead: text('home.lead') })}
${shown}
${shown.length === 0 && emptyState(c, { title: text('home.nothing'), sentence: text('home.nothing_why') })}`
  return consolePage(c, { title, body, area: '' })
}
