/** The pages and the mail of a sign-in with a mailed code, which another package makes. */

import { letterWith } from '../../email-codes/src/letter.js'
import { askPage, button, enterPage, form, section } from '../../email-codes/src/pages.js'
import { textsOf } from '../../email-codes/src/texts.js'
import { htmlOf } from '../src/mail/letter.js'
import { whenAndWhere } from '../src/mail/letters.js'
import { html } from '../src/pages/html.js'
import { renderPage } from '../src/pages/page.js'
import type { SignInVisit, UserVisit } from '../src/sign-in/extensions/seam.js'
import { account } from './account.js'
import { NO_FIELDS, NOW, type Sample, type Show, type States, USER, USERNAME } from './sample.js'
import { passkeys, signInWith } from './sign-in.js'

const PROVIDER = 'Example'

/** What the pages use of a request. */
const visitOf = (sample: Sample): SignInVisit =>
  ({
    ...sample,
    html,
    text: (key: 'forgot.title') => sample.language.text(key),
    page: (page: Parameters<SignInVisit['page']>[0]) => renderPage(sample, { realm: sample.realm, ...page }),
    provider: PROVIDER,
    return_to: '/account',
    client_id: null,
    fields: NO_FIELDS,
    csrf_cookie: null,
    isElsewhere: () => false,
  }) as unknown as SignInVisit

type Problem = 'no_name' | 'no_code' | 'wrong' | 'ended' | 'throttled'

const problemIn = ({ language }: Sample, problem: Problem, status: number) => ({
  problem: textsOf(language.tag)(problem, { minutes: '15' }),
  status,
})

const ask =
  (username: string, problem?: Problem): Show =>
  (sample) =>
    askPage(visitOf(sample), { username, ...(problem && problemIn(sample, problem, 422)) })

const enter =
  (problem?: Problem, status = 422): Show =>
  (sample) =>
    enterPage(visitOf(sample), { username: USERNAME }, problem && problemIn(sample, problem, status))

const mail: Show = (sample) => {
  const { language } = sample
  const letter = letterWith(visitOf(sample), { code: 'BCDFGHJK', username: USERNAME })
  const origin = { language: language.tag, device: 'Firefox, Linux', at: NOW }
  const before = [...letter.before, whenAndWhere({ language, user: { claims: {} } }, origin)]
  const text = htmlOf({ ...letter, before }, { language, provider: PROVIDER, variables: {} })
  return new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8' } })
}

const user = { ...USER, claims: { email: 'ada@example.com', email_verified: true } }
const sectionIn = (sample: Sample) =>
  section({ ...visitOf(sample), user } as unknown as UserVisit)?.html ?? html``

export const EMAIL_CODES: States = {
  'Sign in, with codes': signInWith((sample) => ({
    typed: [button(visitOf(sample))],
    forgot: { href: '/login/recover', text: sample.language.text('sign_in.forgot') },
    start: passkeys(sample),
  })),
  'Sign in, with codes and no passwords': signInWith((sample) => ({
    passwords: false,
    start: passkeys(sample, true),
    others: [form(visitOf(sample), { fields: NO_FIELDS, username: '' })],
  })),
  'A code: the name': ask(USERNAME),
  'A code: no name': ask('', 'no_name'),
  'A code: ended': ask(USERNAME, 'ended'),
  'A code: enter it': enter(),
  'A code: none': enter('no_code'),
  'A code: wrong': enter('wrong'),
  'A code: too many from a network': enter('throttled', 429),
  'Account, with codes': account((sample) => ({ sections: [sectionIn(sample)] })),
  'Mail: a code': mail,
}
