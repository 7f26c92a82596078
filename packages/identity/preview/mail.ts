/** The pages of a forgotten password, and the mails. */

import { forgotPage, sentPage } from '../src/mail/forgot-page.js'
import { htmlOf } from '../src/mail/letter.js'
import { inviteLetter, type LetterContext, noticeLetter, resetLetter } from '../src/mail/letters.js'
import { badLinkPage, resetDonePage, resetPage } from '../src/mail/reset-page.js'
import type { Letter } from '../src/outbox/letter.js'
import type { AccountChange } from '../src/outbox/mail-content.js'
import { type Html, html } from '../src/pages/html.js'
import { NO_FIELDS, NOW, type Sample, type Show, type States, TARGET, USER, USERNAME } from './sample.js'

const PROVIDER = 'Example'
const ORIGIN = { language: 'en', device: 'Firefox, Linux', at: NOW }

const forgot =
  (problem: (sample: Sample) => string, more: Html | null = null): Show =>
  (sample) =>
    forgotPage(sample, {
      realm: sample.realm,
      title: sample.language.text('forgot.title'),
      action: TARGET.action,
      fields: NO_FIELDS,
      username: '',
      problem: problem(sample),
      more,
      status: 200,
      back: '/login',
      form_leads_to: 'self',
      cookies: [],
    })

/** As the option `abuse` of an application may give it. */
export const QUESTION = html`<div>
<label for="answer">2 + 3 =</label>
<input id="answer" name="answer" type="text" inputmode="numeric" required>
</div>`

export const refusedText = ({ language }: Sample): string =>
  `${language.text('error.refused')} ${language.text('error.tell_operator')}`

const reset =
  (problem: (sample: Sample) => Parameters<typeof resetPage>[1]['problem']): Show =>
  (sample) =>
    resetPage(sample, {
      min_length: 8,
      can_show: true,
      realm: sample.realm,
      username: USERNAME,
      action: TARGET.action,
      fields: NO_FIELDS,
      problem: problem(sample),
      cookies: [],
    })

const letter =
  (write: (c: LetterContext) => Letter, more: Partial<LetterContext> = {}): Show =>
  ({ language, realm }) => {
    const c = {
      language,
      realm,
      provider: PROVIDER,
      user: { username: USERNAME, claims: USER.claims },
      passwords: true,
      is_elsewhere: false,
      now: NOW,
      ...more,
    }
    const text = htmlOf(write(c), { language, provider: PROVIDER, variables: {} })
    return new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  }

const notice = (...changes: AccountChange[]): Show =>
  letter((c) => noticeLetter(c, { kind: 'notice', sub: USER.sub, changes, ...ORIGIN }))

const LINK = {
  url: `https://id.example.com/login/reset?t=${'a'.repeat(45)}`,
  expires_at: NOW + 1800,
  credential_version: 1,
}

const INVITATION = `https://id.example.com/login/ticket?t=${'a'.repeat(88)}`

export const MAIL: States = {
  'Forgotten password': forgot(() => ''),
  'Forgotten password, not confirmed': forgot(({ language }) => language.text('sign_in.not_confirmed')),
  'Forgotten password, with a question of the application': forgot(() => '', QUESTION),
  'Forgotten password, refused by the application': forgot(refusedText),
  'Forgotten password, the mail is on its way': (sample) =>
    sentPage(sample, { realm: sample.realm, back: '/login' }),
  'The link of a mail': reset(() => null),
  'The link of a mail, passwords differ': reset(({ language }) => ({
    status: 422,
    text: language.text('password.not_repeated'),
    field: 'new_password_again',
  })),
  'The link of a mail, used before': (sample) =>
    badLinkPage(sample, { realm: sample.realm, again: '/login/recover' }),
  'The new password is set': (sample) => resetDonePage(sample, { realm: sample.realm, next: '/account' }),
  'Mail: a new password': letter((c) => resetLetter(c, ORIGIN, LINK)),
  'Mail: a new password, for an account without one': letter((c) => resetLetter(c, ORIGIN, null)),
  'Mail: an invitation': letter((c) => inviteLetter(c, { url: INVITATION, expires_at: NOW + 604_800 })),
  'Mail: the password was changed': notice({ notice: 'password_changed' }),
  'Mail: the password was removed': notice({ notice: 'password_removed' }),
  'Mail: the first passkey': notice(
    { notice: 'factor_added', factor: 'passkey' },
    { notice: 'codes_created' },
  ),
  'Mail: passkey and app were removed': notice(
    { notice: 'factor_removed', factor: 'passkey' },
    { notice: 'factor_removed', factor: 'totp' },
  ),
  'Mail: an app was added': notice({ notice: 'factor_added', factor: 'totp' }),
  'Mail: a recovery code was used': notice({ notice: 'code_used', left: 8 }),
  'Mail: an account at another provider was linked': notice({ notice: 'link_added' }),
  'Mail: a copied device': notice({ notice: 'device_copied' }),
  'Mail: recovered by a link of an operator': notice({ notice: 'recovered' }),
  'Mail: a forgotten password of a user who signs in elsewhere': letter((c) => resetLetter(c, ORIGIN, null), {
    passwords: false,
    is_elsewhere: true,
  }),
  'Mail: in a realm without passwords': letter(
    (c) => noticeLetter(c, { kind: 'notice', sub: USER.sub, changes: [{ notice: 'recovered' }], ...ORIGIN }),
    { passwords: false },
  ),
}
