/** A page with one form that changes something: what it would do, what it asks for, and the same as a command. */

import type { Html } from '@ostiary/identity'
import { asCommand, type Deed } from '../commands/as-command.js'
import { type ApiAnswer, type ApiFault, type ApiProblem, problemOf, SignInNeeded } from '../session/api.js'
import { textOf } from '../texts/texts.js'
import type { Visit } from '../visit.js'
import { seeOther } from '../web/answers.js'
import { problemNote, problemPage } from './errors.js'
import { type Field, faultsOf, fieldOf, pageHead } from './parts.js'
import { consolePage } from './shell.js'

/** Shows the form again, below this. */
export type Again = (answered: Html) => Promise<Response>

/** One form. */
export interface Act {
  /** The name of the area. */
  area: string
  title: string
  /** Above the fields. */
  intro: Html
  fields?: readonly Field[]
  /** The values that the fields have at first. */
  values?: Readonly<Record<string, string>>
  /** Hidden fields that stay as they are. */
  kept?: Readonly<Record<string, string>>
  button: string
  destroys?: boolean
  /** What is typed to confirm that. */
  confirm?: string
  /** For values that need more care: what is shown before they are sent, and what is then typed to confirm them. */
  asks?(value: (name: string) => string): { shown: Html; confirm: string } | null
  /** Whether its effects are shown first. */
  shows_effects?: boolean
  /** In place of `intro` below the reason, where the API would refuse it. */
  when_refused?: Html
  /** Whether the user has to have signed in a short while ago. */
  needs_fresh?: boolean
  /** In place of the form: why the API would refuse what it does, and what to do; null where it would not. */
  refused?: Html | null
  /** Where it leads back. */
  back: string
  /** What is wrong with what was typed, as far as that is known before it is sent. */
  faults?: readonly ApiFault[]
  /** What the form does, with these values. */
  deed(value: (name: string) => string): Deed
  /**
   * After it is done. A path, or a page of what is shown once.
   * @param again The form as it was sent, below what the answer says: for a form that asks, and changes nothing.
   */
  done(answer: ApiAnswer, again: Again): string | Response | Promise<Response>
}

/** Seconds since the sign-in that the API accepts for what needs a recent one. */
const RECENT_SECONDS = 300
/** For the form itself. */
const FORM_SECONDS = 60

/** How the form is shown. */
interface Shown {
  values: (name: string) => string
  problem: ApiProblem | null
  faults: readonly ApiFault[]
  shows_command?: boolean
  answered?: Html
}

/** Answers both the request for the page and its form. @throws SignInNeeded */
export async function actPage(c: Visit, act: Act): Promise<Response> {
  if (act.refused) return inPlaceOfForm(c, act, { status: 403, why: act.refused })
  if (act.needs_fresh && c.now - c.session.auth_time > RECENT_SECONDS - FORM_SECONDS)
    throw new SignInNeeded(true)
  const { kept = {} } = act
  const first = { ...kept, ...act.values }
  if (c.request.method !== 'POST')
    return formPage(c, act, { values: (name) => first[name] ?? '', problem: null, faults: [] })
  const values = (name: string) => c.form.get(name) ?? kept[name] ?? ''
  if (act.faults?.length) return formPage(c, act, { values, problem: null, faults: act.faults })
  if (c.form.has('show_command'))
    return formPage(c, act, { values, problem: null, faults: [], shows_command: true })
  const { confirm, shown } = askedOf(act, values)
  if (confirm !== undefined && values('confirm').trim() !== confirm) {
    // A form that asks about its values had no field before.
    const is_first = shown !== undefined && !c.form.has('confirm')
    const faults = is_first ? [] : [{ pointer: 'confirm', message: textOf(c)('confirm.wrong') }]
    return formPage(c, act, { values, problem: null, faults })
  }
  const answer = await c.api(act.deed(values).call)
  const problem = problemOf(answer)
  if (problem !== null) return formPage(c, act, { values, problem, faults: problem.errors })
  const done = await act.done(answer, (answered) =>
    formPage(c, act, { values, problem: null, faults: [], answered }),
  )
  return typeof done === 'string' ? seeOther(done) : done
}

/** What has to be typed, and what is shown before it. */
const askedOf = (
  { confirm, asks }: Act,
  values: Shown['values'],
): { confirm?: string | undefined; shown?: Html } => asks?.(values) ?? { confirm }

async function formPage(
  c: Visit,
  act: Act,
  { values, problem, faults, shows_command, answered }: Shown,
): Promise<Response> {
  const { html } = c
  const text = textOf(c)
  const { title, intro, fields = [], kept = {}, button, destroys, back } = act
  const { confirm, shown } = askedOf(act, values)
  const deed = act.deed(values)
  const effects = act.shows_effects ? await effectsOf(c, deed) : null
  if (effects !== null && 'refused' in effects) return refusedPage(c, act, effects.refused)
  const at_fields = fields.some((field) => faultsOf(field, faults).length > 0)
  const body = html`${pageHead(c, { title })}
${problem !== null && !at_fields && problemNote(c, problem)}
<div class="intro">${intro}</div>
${effects?.shown}${shown}${answered}
<form method="post" class="act">
<input type="hidden" name="csrf_token" value="${c.session.csrf_token}">
${Object.keys(kept).map((name) => html`<input type="hidden" name="${name}" value="${values(name)}">\n`)}
${fields.map((field) => html`${fieldOf(c, field, { value: values(field.name), faults })}\n`)}
${confirm !== undefined && confirmField(c, confirm, { value: values('confirm'), faults })}
<div class="buttons"><button type="submit"${destroys && html` class="danger"`}>${button}</button>
${fields.length > 0 && html`<button type="submit" class="quiet" name="show_command" value="1" formnovalidate>${text('command.show')}</button>`}
<a class="switch" href="${back}">${text('act.cancel')}</a></div>
</form>
${(fields.length === 0 || shows_command || answered) && asCommand(c, deed, shows_command)}`
  return consolePage(c, { title, body, area: act.area, status: statusOf(problem, faults) })
}

/** What the change would be refused for, in place of the form. */
function refusedPage(c: Visit, act: Act, problem: ApiProblem): Response {
  const { intro, when_refused } = act
  const { status } = problem
  if (status !== 409) return problemPage(c, problem)
  const why = c.html`${problemNote(c, problem)}
<div class="intro">${when_refused ?? intro}</div>`
  return inPlaceOfForm(c, act, { status, why })
}

function inPlaceOfForm(
  c: Visit,
  { title, area, back }: Act,
  { status, why }: { status: number; why: Html },
): Response {
  const body = c.html`${pageHead(c, { title })}
${why}
<p><a class="switch" href="${back}">${textOf(c)('act.cancel')}</a></p>`
  return consolePage(c, { title, body, area, status })
}

const statusOf = (problem: ApiProblem | null, faults: readonly ApiFault[]): number => {
  if (problem !== null) return problem.status
  return faults.length > 0 ? 422 : 200
}

const confirmField = (
  c: Visit,
  name: string,
  state: { value: string; faults: readonly ApiFault[] },
): Html => {
  const label = textOf(c)('confirm.label', { name })
  return fieldOf(c, { name: 'confirm', label, required: true, pointers: ['confirm'] }, state)
}

/** What a dry run counts. */
interface Effects {
  sessions: number | null
  grants: number | null
  consents: number | null
  /** Of signing keys. */
  keys: number
  /** Of a realm. */
  clients?: number | null
  users?: number | null
}

/** What ends, as a dry run says it. */
async function effectsOf(c: Visit, { call }: Deed): Promise<{ shown: Html } | { refused: ApiProblem }> {
  const { html } = c
  const text = textOf(c)
  const { if_match, ...planned } = call
  // Of the record as it is now: the form itself names the one that was seen.
  const overwrite = if_match === undefined ? {} : { overwrite: 'true' }
  const answer = await c.api({ ...planned, query: { ...call.query, ...overwrite, dry_run: 'true' } })
  const refused = problemOf(answer)
  if (refused !== null) return { refused }
  const { effects } = answer.body as { effects: Effects }
  const ended = (['users', 'clients', 'sessions', 'grants', 'consents'] as const).flatMap((name) => {
    const { [name]: count = 0 } = effects
    if (count === null) return [text(`effects.${name}.all`)]
    return count > 0 ? [text(`effects.${name}`, { count })] : []
  })
  const lines = [...ended, ...(effects.keys > 0 ? [text('effects.keys', { count: effects.keys })] : [])]
  if (lines.length === 0) return { shown: html`<p class="effects">${text('effects.none')}</p>` }
  const shown = html`<div class="effects"><p>${text('effects.title')}</p>
<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></div>`
  return { shown }
}
