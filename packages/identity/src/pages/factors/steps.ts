/** The pages after the first proof of a sign-in, and those on which a factor is added. */

import type { Realm } from '@ostiary/core'
import type { FactorKind } from '../../users/factor-store.js'
import type { User } from '../../users/user-store.js'
import { clientName, namingClient } from '../client-name.js'
import { type Html, html } from '../html.js'
import type { Language } from '../language.js'
import { alertNote, type Page, renderPage } from '../page.js'
import type { Presentation } from '../presentation.js'
import type { SignInPrompt } from '../sign-in.js'
import { timeFormats } from '../time.js'
import { accountLine } from '../user-card.js'

/** The path of a form, and its hidden fields. */
export interface PostTarget {
  action: string
  fields: Html
}

interface StepView {
  prompt: SignInPrompt
  username: string
  /** Begins again, for another account. */
  restart: PostTarget
  /** Whether the client asks for the second factor, and not the account or the realm alone. */
  asked_by_client: boolean
  /** Back to the client. */
  cancel: PostTarget
  cookies: (string | null)[]
}

/** Why a form with a proof was refused. */
export interface RefusedForm {
  /** What the form has asked for. */
  kind: FactorKind | null
  /** Whether the password in the form was refused. */
  password?: boolean
  text: string
  status: number
  retry_after?: number
}

export interface SecondStepView extends StepView {
  forms: readonly { kind: FactorKind; form: Html }[]
  refused: RefusedForm | null
}

/** Asks for one of the factors of the account. */
export function secondStepPage(presentation: Presentation, page: SecondStepView): Response {
  const { language } = presentation
  const { prompt, username, restart, asked_by_client, cancel, cookies, forms, refused } = page
  const title = language.text('confirm.title')
  const shown = (kinds: readonly FactorKind[]) =>
    forms.filter(({ kind }) => kinds.includes(kind)).map(({ form }) => form)
  const body = html`<h1>${title}</h1>
<p>${language.markup('step.account', { username: html`<bdi>${username}</bdi>` })}</p>
${refused !== null && alertNote(refused.text)}
${forms.length === 0 && html`<p>${language.text('step.none')}</p>`}
${shown(['passkey', 'totp'])}
${recoveryDetails(language, shown(['recovery']), refused)}
${otherAccount(language, restart)}${asked_by_client && wayOut(language, prompt, cancel)}`
  const retry_after = refused?.retry_after
  return renderPage(presentation, {
    ...pageOf(prompt, { title, body, cookies }),
    status: refused?.status ?? 200,
    headers: retry_after === undefined ? {} : { 'retry-after': String(retry_after) },
    script: forms.some(({ kind }) => kind === 'passkey'),
  })
}

/** Behind a line to click: a code of last resort is not to be used up instead of a passkey at hand. */
export const recoveryDetails = (
  { text }: Language,
  forms: readonly Html[],
  refused: RefusedForm | null,
): Html | false =>
  forms.length > 0 &&
  html`<details class="recovery"${refused?.kind === 'recovery' && html` open`}>
<summary>${text('recovery.use')}</summary>
${forms}
</details>`

const otherAccount = (
  { text }: Language,
  { action, fields }: PostTarget,
): Html => html`<form class="restart" method="post" action="${action}">
${fields}
<button type="submit" class="link">${text('consent.another_account')}</button>
</form>`

const wayOut = (language: Language, { client }: SignInPrompt, { action, fields }: PostTarget): Html | false =>
  client !== null &&
  html`
<form class="out" method="post" action="${action}">
${fields}
<button type="submit" class="link">${namingClient(language, 'sign_in.back', client)}</button>
</form>`

const pageOf = ({ realm, client }: SignInPrompt, page: Pick<Page, 'title' | 'body' | 'cookies'>): Page => ({
  ...page,
  realm,
  form_leads_to: client ? 'client' : 'self',
})

export interface ChooseFactorView extends StepView {
  enrol: PostTarget
  kinds: readonly FactorKind[]
}

/** For an account that needs a second factor and has none. Without a kind to add, it says who can help. */
export function chooseFactorPage(presentation: Presentation, page: ChooseFactorView): Response {
  const { language } = presentation
  const { text } = language
  const { prompt, username, restart, asked_by_client, cancel, cookies, enrol, kinds } = page
  const title = text('enrol.title')
  const { client } = prompt
  const application = asked_by_client && client !== null && clientName(language, client)
  const is_invited = kinds.length === 0
  const why = application
    ? language.markup(is_invited ? 'enrol.invited_by' : 'enrol.needed_by', { application })
    : text(is_invited ? 'enrol.invited' : 'enrol.needed')
  const body = html`<h1>${title}</h1>
<p>${why}</p>
${accountLine(language, username)}
${factorChoices(language, enrol, kinds)}
${otherAccount(language, restart)}${wayOut(language, prompt, cancel)}`
  return renderPage(presentation, pageOf(prompt, { title, body, cookies }))
}

/** A form for each kind that can be added. */
export const factorChoices = (language: Language, enrol: PostTarget, kinds: readonly FactorKind[]): Html[] =>
  kinds.filter(isChosen).map((kind, index) => choice(language, enrol, { kind, first: index === 0 }))

/** Recovery codes come with the first of the others. */
const isChosen = (kind: FactorKind): kind is 'passkey' | 'totp' => kind !== 'recovery'

const choice = (
  { text }: Language,
  { action, fields }: PostTarget,
  { kind, first }: { kind: 'passkey' | 'totp'; first: boolean },
): Html => html`<form method="post" action="${action}">
${fields}
<input type="hidden" name="method" value="${kind}">
<div>
<button type="submit"${!first && html` class="quiet"`} aria-describedby="${kind}-hint">${text(`enrol.${kind}`)}</button>
<p class="hint" id="${kind}-hint">${text(`enrol.${kind}_hint`)}</p>
</div>
</form>`

export interface EnrolmentView {
  realm: Realm
  /** The page of the kind: a heading, and a form. */
  body: Html
  /** Of the document. */
  title?: string
  status?: number
  cookies: (string | null)[]
  form_leads_to: 'client' | 'self'
  /** Where a user goes who changes their mind; false where there is no other way. */
  back: Html | false
}

export function enrolmentPage(presentation: Presentation, page: EnrolmentView): Response {
  const { realm, body, title, status = 200, cookies, form_leads_to, back } = page
  return renderPage(presentation, {
    realm,
    title: title ?? presentation.language.text('enrol.title'),
    body: html`${body}
${back}`,
    status,
    cookies,
    form_leads_to,
    script: true,
  })
}

export interface RecoveryCodesView {
  realm: Realm
  codes: readonly string[]
  user: User
  /** Epoch seconds. */
  now: number
  /** Goes on when the user has saved the codes. */
  target: PostTarget
  /** Sends the codes back as a file. */
  download: PostTarget
  cookies: (string | null)[]
  form_leads_to: 'client' | 'self'
}

/** Shows new recovery codes, once. */
export function recoveryCodesPage(presentation: Presentation, page: RecoveryCodesView): Response {
  const { text, markup } = presentation.language
  const { realm, codes, user, now, target, download, cookies, form_leads_to } = page
  const title = text('recovery.title')
  const day = timeFormats(presentation.language, user.claims.zoneinfo).day(now)
  const body = html`<h1>${title}</h1>
<p>${text('recovery.meaning')}</p>
<p><strong>${text('recovery.once')}</strong></p>
<p class="printed">${markup('recovery.printed', { username: html`<bdi>${user.username}</bdi>`, day })}</p>
<ol class="codes">
${codes.map((code) => html`<li><code>${code}</code></li>\n`)}</ol>
<form method="post" action="${download.action}">
${download.fields}
<input type="hidden" name="codes" value="${codes.join(' ')}">
<button type="submit" class="quiet">${text('recovery.download')}</button>
<button type="button" class="quiet" hidden data-print>${text('recovery.print')}</button>
</form>
<form class="back" method="post" action="${target.action}">
${target.fields}
<button type="submit">${text('recovery.saved')}</button>
</form>`
  return renderPage(presentation, { realm, title, body, cookies, form_leads_to, script: true })
}
