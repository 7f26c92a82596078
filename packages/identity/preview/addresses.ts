/** The section, the pages and the mails of changes of the email address, which another package makes. */

import { changedLetter, undoneLetter, verifyLetters } from '../../addresses/src/letters.js'
import {
  badLinkPage,
  donePage,
  otherUserPage,
  sentPage,
  takenPage,
  undoPage,
  verifyPage,
} from '../../addresses/src/pages.js'
import { section } from '../../addresses/src/section.js'
import { textsOf } from '../../addresses/src/texts.js'
import { htmlOf } from '../src/mail/letter.js'
import { whenAndWhere } from '../src/mail/letters.js'
import type { Letter } from '../src/outbox/letter.js'
import { html } from '../src/pages/html.js'
import { renderPage } from '../src/pages/page.js'
import type { Mails, PageVisit, UserVisit } from '../src/sign-in/extensions/seam.js'
import { account } from './account.js'
import { NOW, type Sample, type Show, type States, TARGET, USERNAME } from './sample.js'

const OWN = 'ada@example.com'
const OTHER = 'augusta.ada.king.countess.of.lovelace@analytical-engine.example'
const PROVIDER = 'Example'

/** What the pages use of a request. */
const visitOf = (sample: Sample): PageVisit =>
  ({
    ...sample,
    html,
    text: (key: 'forgot.title') => sample.language.text(key),
    page: (page: Parameters<PageVisit['page']>[0]) => renderPage(sample, { realm: sample.realm, ...page }),
    provider: PROVIDER,
    now: () => NOW,
    csrf_token: '',
    csrf_cookie: null,
  }) as unknown as PageVisit

interface Shown {
  email?: string
  email_verified?: boolean
  waits?: boolean
  problem?: (texts: ReturnType<typeof textsOf>) => { status: number; text: string }
}

/** The account page, with the section. */
const atAccount =
  ({ waits = false, problem, ...claims }: Shown): Show =>
  async (sample) => {
    const user = { sub: USERNAME, claims, credential_version: 0, disabled_at: null }
    const ticket = waits ? { expires_at: NOW + 1, credential_version: 0 } : null
    const mails = { tickets: { findOf: async () => ticket } } as unknown as Mails
    const visit = { ...visitOf(sample), user, target: () => TARGET } as unknown as UserVisit
    const shown = await section(visit, mails)
    const refused = problem?.(textsOf(sample.language.tag))
    return account(() => ({
      sections: [shown.html],
      problem: refused === undefined ? null : { at: 'page', ...refused },
    }))(sample)
  }

const link = { t: '', to: OTHER, username: USERNAME }
const notConfirmed = ({ language }: Sample) => ({ text: language.text('sign_in.not_confirmed'), status: 403 })

const mail =
  (letterOf: (c: PageVisit) => Letter): Show =>
  (sample) => {
    const { language } = sample
    const letter = letterOf(visitOf(sample))
    const origin = { language: language.tag, device: 'Firefox, Linux', at: NOW }
    const before = [...letter.before, whenAndWhere({ language, user: { claims: {} } }, origin)]
    const text = htmlOf({ ...letter, before }, { language, provider: PROVIDER, variables: {} })
    return new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  }

const URL_OF_LINK = `https://id.example.com/login/address?t=${'a'.repeat(330)}`
const asked = { to: OTHER, url: URL_OF_LINK, may_be_taken: true }

export const ADDRESSES: States = {
  'Account, without an email address': atAccount({}),
  'Account, an email address': atAccount({ email: OWN, email_verified: true }),
  'Account, an email address that is not confirmed': atAccount({ email: OTHER, email_verified: false }),
  'Account, an email address waits for its confirmation': atAccount({
    email: OWN,
    email_verified: true,
    waits: true,
  }),
  'Account, refused: no email address': atAccount({
    email: OWN,
    email_verified: true,
    problem: ({ no_address }) => ({ status: 422, text: no_address }),
  }),
  'Account, an address of another provider': atAccount({
    email: OWN,
    email_verified: true,
    problem: ({ elsewhere }) => ({ status: 422, text: elsewhere }),
  }),
  'Account, refused: too many links': atAccount({
    email: OWN,
    email_verified: true,
    problem: ({ throttled }) => ({ status: 429, text: throttled }),
  }),
  'Account, refused: an old sign-in changes the address': atAccount({
    email: OWN,
    email_verified: true,
    problem: ({ not_fresh }) => ({ status: 403, text: not_fresh }),
  }),
  'Email address, the mail is on its way': (sample) => sentPage(visitOf(sample)),
  'Email address, its link': (sample) => verifyPage(visitOf(sample), link, null),
  'Email address, its link, not confirmed': (sample) =>
    verifyPage(visitOf(sample), link, notConfirmed(sample)),
  'Email address, confirmed': (sample) => donePage(visitOf(sample), 'changed'),
  'Email address, the link of another account': (sample) => otherUserPage(visitOf(sample), 'grace'),
  'Email address, the username of another account': (sample) => takenPage(visitOf(sample)),
  'Email address, a link that does not work': (sample) => badLinkPage(visitOf(sample)),
  'Email address, the link of an undo': (sample) => undoPage(visitOf(sample), { ...link, to: OWN }, null),
  'Email address, the link of an undo, not confirmed': (sample) =>
    undoPage(visitOf(sample), { ...link, to: OWN }, notConfirmed(sample)),
  'Email address, undone': (sample) => donePage(visitOf(sample), 'undone'),
  'Mail: confirm the new address': mail((c) => verifyLetters(c, asked)[0]),
  'Mail: the new address has an account': mail((c) => verifyLetters(c, asked)[1]),
  'Mail: the address was changed': mail((c) => changedLetter(c, { username: USERNAME, url: URL_OF_LINK })),
  'Mail: the address was changed again': mail((c) => changedLetter(c, { username: USERNAME, url: null })),
  'Mail: the change was undone': mail((c) => undoneLetter(c, USERNAME)),
}
