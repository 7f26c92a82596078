/** What happened, step by step, with what to do: the story of a reference, a request or a flow. */

import {
  type ApiProblem,
  adviceLink,
  apiPath,
  code,
  consolePage,
  emptyState,
  pageHead,
  pathOf,
  problemOf,
  problemPage,
  refusalFor,
  seeOther,
  timeOf,
} from '@ostiary/console'
import type { Html } from '@ostiary/identity'
import { clientLink, type NamedVisit, userLink, withNames } from '../rows/names.js'
import { actorOf } from '../rows/row.js'
import { MAX_PARAMETER, type OwnVisit, parameter } from '../visit.js'

interface ToldRow {
  time: number
  audit_id: string
  actor: string
  outcome: string
  what: string
}

interface Step extends ToldRow {
  before: readonly ToldRow[] | null
  advice: string | null
  in_log: string | null
}

interface Story {
  flow: string | null
  client_id: string | null
  sub: string | null
  steps: readonly Step[]
}

const causesOf = ({ steps }: Story) => steps.flatMap(({ before }) => before ?? [])

export async function explainPages(
  c: OwnVisit,
  [name, ...others]: readonly string[],
): Promise<Response | null> {
  if (others.length > 0) return null
  const refusal = refusalFor(c, null)
  if (refusal !== null) return refusal
  const asked = parameter(c, 'name')
  if (name === undefined && isName(asked)) return seeOther(pathOf(c, 'explain', asked))
  if (name === undefined) return page(c, { title: c.text('explain.title'), shown: emptyPage(c) })
  if (!isName(name)) return null
  const answer = await c.api({ method: 'GET', path: apiPath(c, 'explain', name) })
  const problem = problemOf(answer)
  const title = c.text('explain.of', { name })
  if (problem !== null) return withoutStory(c, title, problem)
  const { stories } = answer.body as { stories: readonly Story[] }
  const named = await withNames(c, [...stories, ...stories.flatMap(causesOf)])
  const shown = c.html`<p class="lead">${c.text('explain.lead')}</p>
${stories.map((story) => storyOf(named, story))}`
  return page(c, { title, shown })
}

/** These name another path. */
const isName = (text: string): boolean =>
  text !== '' && text.length <= MAX_PARAMETER && text !== '.' && text !== '..'

function page(
  c: OwnVisit,
  { title, shown, status }: { title: string; shown: Html; status?: number },
): Response {
  const { html, text } = c
  const body = html`${pageHead(c, { title })}
${shown}
<form class="search" method="get" action="${pathOf(c, 'explain')}">
<div><label for="name">${text('explain.field')}</label>
<input id="name" name="name" type="search" maxlength="${MAX_PARAMETER}" autocomplete="off" autocapitalize="none" spellcheck="false"></div>
<button type="submit" class="quiet">${text('explain.title')}</button>
</form>`
  return consolePage(c, { title, body, area: 'sign-ins', ...(status !== undefined && { status }) })
}

const emptyPage = (c: OwnVisit): Html =>
  emptyState(c, { title: c.text('explain.empty'), sentence: c.text('explain.empty_why') })

/** The audit has nothing, is off, or is in memory. */
function withoutStory(c: OwnVisit, title: string, problem: ApiProblem): Response {
  const { html, text } = c
  const { status, detail } = problem
  if (status !== 404 && status !== 409) return problemPage(c, problem)
  const action = html`<p lang="en"><small>${detail}</small></p>`
  const shown =
    status === 409
      ? emptyState(c, { title: text('explain.unavailable'), sentence: text('explain.empty_why'), action })
      : emptyState(c, { title: text('explain.none'), sentence: text('explain.none_why') })
  return page(c, { title, shown, status })
}

function storyOf(c: NamedVisit, story: Story): Html {
  const { html, text } = c
  const { flow, client_id, sub, steps } = story
  return html`<section class="story">
<p class="about">
${client_id !== null && html`<span>${text('audit.client')} ${clientLink(c, client_id)}</span>`}
${sub !== null && html`<span>${text('audit.user')} ${userLink(c, sub)}</span>`}
${flow !== null && html`<span>${text('audit.flow')} ${code(c, flow)}</span>`}
</p>
<ol class="steps">
${steps.map((step) => stepOf(c, step, story))}</ol>
</section>`
}

function stepOf(c: NamedVisit, step: Step, story: Story): Html {
  const { html, text } = c
  const { time, audit_id, outcome, what, advice, in_log, before } = step
  const is_bad = outcome !== 'done' || advice !== null
  return html`<li${is_bad && html` class="bad"`}>
<p class="when">${timeOf(c, time)}${c.may('audit', 'read') && html` · <a href="${pathOf(c, 'audit', audit_id)}">${text('audit.id')}</a>`}</p>
<p class="what" lang="en">${what}</p>
${advice !== null && html`<p class="advice" lang="en"><strong lang="${c.language}">${text('explain.what_to_do')}</strong> ${advice} ${adviceLink(c, advice, story)}</p>`}
${in_log !== null && html`<p class="aside" lang="en">In the log: ${in_log}</p>`}
${before !== null && beforeOf(c, before)}
</li>
`
}

/** The rows of the audit are not for everyone who may read a story. */
const rowLink = (c: OwnVisit, audit_id: string, what: string): Html =>
  c.may('audit', 'read')
    ? c.html`<a href="${pathOf(c, 'audit', audit_id)}" lang="en">${what}</a>`
    : c.html`<span lang="en">${what}</span>`

/** What can have been the cause. */
function beforeOf(c: NamedVisit, rows: readonly ToldRow[]): Html {
  const { html, text } = c
  if (rows.length === 0)
    return html`<p class="aside">${text('explain.before')}: ${text('explain.before_none')}</p>`
  return html`<details open><summary>${text('explain.before')}</summary>
<ul>${rows.map(
    ({ time, audit_id, what, actor }) =>
      html`<li>${timeOf(c, time)} ${rowLink(c, audit_id, what)}, ${actorOf(c, actor)}</li>`,
  )}</ul></details>`
}
