/** The pages and the mails of the sign-up, which another package makes. */

import { lettersTo } from '../../sign-up/src/letters.js'
import { askPage, badLinkPage, domainsText, knownPage, linkPage, sentPage } from '../../sign-up/src/pages.js'
import { textsOf } from '../../sign-up/src/texts.js'
import { htmlOf } from '../src/mail/letter.js'
import { whenAndWhere } from '../src/mail/letters.js'
import { html } from '../src/pages/html.js'
import { renderPage } from '../src/pages/page.js'
import type { SignUpVisit } from '../src/sign-in/sign-up/seam.js'
import { QUESTION, refusedText } from './mail.js'
import { NOW, type Sample, type Show, type States } from './sample.js'

const ADDRESS = 'ada@example.com'
const DOMAINS = { signup: 'domains', signup_domains: ['example.com', 'example.org'] } as const
const PROVIDER = 'Example'

/** What the pages use of a request. */
const visitOf = (sample: Sample): SignUpVisit =>
  ({
    ...sample,
    html,
    text: (key: 'forgot.title') => sample.language.text(key),
    page: (page: Parameters<SignUpVisit['page']>[0]) => renderPage(sample, { realm: sample.realm, ...page }),
    return_to: '',
    provider: PROVIDER,
    has_passwords: true,
    csrf_token: '',
    csrf_cookie: null,
  }) as unknown as SignUpVisit

type Refused = (sample: Sample) => { problem: string; status: number }

const ask =
  (refused: Refused = () => ({ problem: '', status: 200 })): Show =>
  (sample) =>
    askPage(visitOf(sample), DOMAINS, { address: '', ...refused(sample) })

const link =
  (refused: Refused = () => ({ problem: '', status: 200 })): Show =>
  (sample) =>
    linkPage(visitOf(sample), { to: ADDRESS, t: '' }, refused(sample))

const mail =
  (index: 0 | 1): Show =>
  (sample) => {
    const { language } = sample
    const url = `https://id.example.com/login/signup?t=${'a'.repeat(220)}`
    const letter = lettersTo(visitOf(sample), ADDRESS, url)[index]
    const origin = { language: language.tag, device: 'Firefox, Linux', at: NOW }
    const before = [...letter.before, whenAndWhere({ language, user: { claims: {} } }, origin)]
    const text = htmlOf({ ...letter, before }, { language, provider: PROVIDER, variables: {} })
    return new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  }

const notConfirmed: Refused = ({ language }) => ({
  problem: language.text('sign_in.not_confirmed'),
  status: 403,
})

export const SIGN_UP: States = {
  'Create an account': ask(),
  'Create an account, no address': ask(({ language }) => ({
    problem: textsOf(language.tag).no_address,
    status: 422,
  })),
  'Create an account, another domain': ask((sample) => ({
    problem: domainsText(visitOf(sample), DOMAINS),
    status: 422,
  })),
  'Create an account, not confirmed': ask(notConfirmed),
  'Create an account, with a question of the application': (sample) =>
    askPage(visitOf(sample), DOMAINS, { more: QUESTION }),
  'Create an account, refused by the application': ask((sample) => ({
    problem: refusedText(sample),
    status: 403,
  })),
  'Create an account, the mail is on its way': (sample) => sentPage(visitOf(sample)),
  'The link of a sign-up': link(),
  'The link of a sign-up, not confirmed': link(notConfirmed),
  'The link of a sign-up, used before': (sample) => badLinkPage(visitOf(sample)),
  'The link of a sign-up, with an account': (sample) => knownPage(visitOf(sample)),
  'Mail: confirm the address': mail(0),
  'Mail: a sign-up with an account': mail(1),
}
