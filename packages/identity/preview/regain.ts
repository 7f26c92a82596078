/** The pages and the mails of a recovery by mail, which another package makes. */

import { askedLetter, noticeLetter, overLetter } from '../../recovery/src/letters.js'
import {
  askPage,
  badLinkPage,
  beginPage,
  cancelledPage,
  cancelPage,
  earlyPage,
  interruption,
  nonePage,
  type Refused,
  waitingNote,
  waitsPage,
} from '../../recovery/src/pages.js'
import { htmlOf } from '../src/mail/letter.js'
import { whenAndWhere } from '../src/mail/letters.js'
import type { Letter } from '../src/outbox/letter.js'
import { html } from '../src/pages/html.js'
import { renderPage } from '../src/pages/page.js'
import { timeFormats } from '../src/pages/time.js'
import type { RecoveryVisit } from '../src/sign-in/regain/seam.js'
import type { User } from '../src/users/user-store.js'
import { account } from './account.js'
import { NOW, type Sample, type Show, type States, USER, USERNAME } from './sample.js'

const PROVIDER = 'Example'
const UNTIL = NOW + 86_400
const user = { ...USER, username: USERNAME } as unknown as User

/** What the pages use of a request. */
const recoveryVisitOf = (sample: Sample): RecoveryVisit =>
  ({
    ...sample,
    html,
    text: (key: 'forgot.title') => sample.language.text(key),
    time: (seconds: number) => timeFormats(sample.language, null).dateAndTimeText(seconds),
    page: (page: Parameters<RecoveryVisit['page']>[0]) =>
      renderPage(sample, { realm: sample.realm, ...page }),
    provider: PROVIDER,
    csrf_token: '',
    csrf_cookie: null,
  }) as unknown as RecoveryVisit

/** On the account page, too. */
const waitingNoteIn = (sample: Sample) => {
  const c = recoveryVisitOf(sample)
  return waitingNote(c, { time: c.time(UNTIL), waits: '' })
}

const show =
  (page: (c: RecoveryVisit, sample: Sample) => Response): Show =>
  (sample) =>
    page(recoveryVisitOf(sample), sample)

const ask = (refused: (sample: Sample) => Refused | null = () => null): Show =>
  show((c, sample) => askPage(c, { user, t: '', until: UNTIL }, refused(sample)))

const notConfirmed = ({ language }: Sample): Refused => ({
  text: language.text('sign_in.not_confirmed'),
  status: 403,
})

const mail =
  (letter: (c: RecoveryVisit, when: string) => Letter): Show =>
  (sample) => {
    const { language } = sample
    const origin = { language: language.tag, device: 'Firefox, Linux', at: NOW }
    const when = whenAndWhere({ language, user: { claims: {} } }, origin)
    const text = htmlOf(letter(recoveryVisitOf(sample), when), {
      language,
      provider: PROVIDER,
      variables: {},
    })
    return new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  }

const URL_OF = (parameter: string) => `https://id.example.com/login/regain?${parameter}=${'a'.repeat(88)}`
const WAITING = { user, not_before: UNTIL, expires_at: UNTIL + 86_400, cancel_url: URL_OF('c') }

export const REGAIN: States = {
  'A recovery by mail': ask(),
  'A recovery by mail, a wrong code': ask(({ language }) => ({
    text: language.text('recovery.wrong'),
    status: 422,
  })),
  'A recovery by mail, not confirmed': ask(notConfirmed),
  'A recovery by mail, the delay has begun': show((c) => waitsPage(c, UNTIL)),
  'A recovery by mail, too early': show((c) => earlyPage(c, UNTIL)),
  'A recovery by mail, after the delay': show((c) => beginPage(c, { user, t: '' }, null)),
  'A recovery by mail, before a sign-in goes on': show((c, sample) =>
    interruption(c, { user, note: waitingNoteIn(sample), location: '/account' }),
  ),
  'The account page, a recovery waits': account((sample) => ({ banner: waitingNoteIn(sample) })),
  'A recovery by mail, to cancel': show((c) => cancelPage(c, { user, link: '' }, null)),
  'A recovery by mail, to cancel, not confirmed': show((c, sample) =>
    cancelPage(c, { user, link: '' }, notConfirmed(sample)),
  ),
  'A recovery by mail, cancelled': show(cancelledPage),
  'A recovery by mail, none waits': show(nonePage),
  'A recovery by mail, a bad link': show(badLinkPage),
  'Mail: get back in': mail(({ language }, when) =>
    askedLetter({
      language: language.tag,
      provider: PROVIDER,
      username: user.username,
      when,
      url: URL_OF('t'),
      reset: null,
    }),
  ),
  'Mail: a recovery waits': mail((c, when) => noticeLetter(c, WAITING, when)),
  'Mail: the delay is over': mail((c) => overLetter(c, WAITING, URL_OF('t'))),
}
