/** The pages of mails: those that wait, and a test mail. */

import {
  actPage,
  apiPath,
  code,
  consolePage,
  doneNote,
  emptyState,
  factList,
  linkButton,
  nextPage,
  type Page,
  pageHead,
  pathOf,
  problemNote,
  problemOf,
  readPage,
  refusalFor,
  table,
  timeOf,
} from '@ostiary/console'
import type { Html } from '@ostiary/identity'
import { bodyOf } from '../acts.js'
import type { OwnVisit } from '../visit.js'

/** A mail that waits. Times are epoch seconds. */
interface WaitingMail {
  mail_id: string
  created_at: number
  attempts: number
  next_attempt_at: number
}

interface ServerStatus {
  mails: { waiting: number; oldest_at: number | null } | null
}

/** The list, and the form that sends a test mail. */
export async function mailPage(c: OwnVisit, [act, ...others]: readonly string[]): Page {
  if (others.length > 0 || (act !== undefined && act !== 'test')) return null
  const refusal = refusalFor(c, act === undefined ? null : 'realms')
  if (refusal !== null) return refusal
  return act === undefined ? listMails(c) : testPage(c)
}

async function listMails(c: OwnVisit): Promise<Response> {
  const { html, text } = c
  const page = await readPage<WaitingMail>(c, apiPath(c, 'mail'))
  if (page instanceof Response) return page
  const { items, next, problem } = page
  const title = text('mail.title')
  const may_test = c.may('realms', 'write')
  const refusal = may_test ? await testRefusal(c) : null
  const test =
    may_test &&
    refusal === null &&
    linkButton(c, { href: pathOf(c, 'mail', 'test'), text: text('test.title'), kind: '' })
  const columns = [text('mail.created'), text('mail.attempts'), text('mail.next'), text('mail.id')]
  const rows = items.map((mail) => [
    timeOf(c, mail.created_at),
    html`${mail.attempts}`,
    timeOf(c, mail.next_attempt_at),
    code(c, mail.mail_id),
  ])
  const body = html`${pageHead(c, { title, lead: text('mail.lead'), actions: test })}
${doneNote(c, ['done.mail_sent'])}
${problem !== null && problemNote(c, problem)}
${refusal !== null && problemNote(c, refusal)}
${await backlogOf(c)}
<div class="below">${
    items.length === 0
      ? emptyState(c, { title: text('mail.none'), sentence: text('mail.none_why') })
      : table(c, { label: title, columns, rows })
  }</div>
${nextPage(c, next)}`
  return consolePage(c, { title, body, area: 'mail', status: problem?.status ?? 200 })
}

/** The call that sends a test mail. */
const sending = (c: OwnVisit, to: string) =>
  ({ method: 'POST', path: apiPath(c, 'mail', 'test'), body: { to } }) as const

/** Why none would be sent now, as a dry run says it. */
const testRefusal = async (c: OwnVisit) =>
  problemOf(await c.api({ ...sending(c, 'a@example.com'), query: { dry_run: 'true' } }))

/** How many wait, and since when, for those who may read it. Nothing where none does, or where the server counts none. */
async function backlogOf(c: OwnVisit): Promise<Html | false> {
  const { text } = c
  if (!c.may('realms', 'read')) return false
  const status = (await bodyOf(c, apiPath(c, 'status'))) as ServerStatus | null
  const mails = status?.mails ?? null
  if (mails === null || mails.oldest_at === null) return false
  return factList(c, [
    [text('mail.waiting'), new Intl.NumberFormat(c.language).format(mails.waiting)],
    [text('mail.oldest'), timeOf(c, mails.oldest_at)],
  ])
}

function testPage(c: OwnVisit): Promise<Response> {
  const { html, text } = c
  return actPage(c, {
    area: 'mail',
    title: text('test.title'),
    intro: html`<p>${text('test.lead')}</p>`,
    fields: [{ name: 'to', label: text('test.to'), required: true, max_length: 254, pointers: ['/to'] }],
    button: text('test.button'),
    back: pathOf(c, 'mail'),
    deed(value) {
      const to = value('to').trim()
      return {
        call: sending(c, to),
        commands: [{ name: 'mail test', args: [to] }],
      }
    },
    done({ body }) {
      const { sent, reason } = body as { sent: boolean; reason: string | null }
      return sent ? `${pathOf(c, 'mail')}?done=mail_sent` : notSent(c, reason ?? '')
    },
  })
}

const REASONS = ['unreachable', 'timeout', 'tls', 'starttls', 'auth', 'invalid'] as const

/** Why the mail server has not taken the mail. */
function notSent(c: OwnVisit, reason: string): Response {
  const { html, text } = c
  const title = text('test.failed')
  const known = REASONS.find((each) => each === reason)
  const sentence = known === undefined ? text('reason.other', { reason }) : text(`reason.${known}`)
  const body = html`${pageHead(c, { title })}
<div class="note" role="alert"><p>${sentence}</p></div>
<p class="below">${text('test.failed_how')}</p>
<p>${linkButton(c, { href: pathOf(c, 'mail', 'test'), text: text('test.again') })}</p>`
  return consolePage(c, { title, body, area: 'mail', status: 422 })
}
