/** The pages of a recovery. */

import { choicePage } from '../src/pages/recovery/choice.js'
import { decisionPage, type LinkedItem } from '../src/pages/recovery/decision.js'
import { donePage, ticketPage, unknownTicketPage } from '../src/pages/recovery/ticket.js'
import { contextOf, KINDS, storedFactors } from './factors.js'
import { NO_FIELDS, NOW, type Sample, type Show, type States, TARGET, USERNAME } from './sample.js'

type Choice = Parameters<typeof choicePage>[1]

const recoveryChoice =
  (more: (sample: Sample) => Partial<Choice> = () => ({})): Show =>
  (sample) =>
    choicePage(sample, {
      realm: sample.realm,
      username: USERNAME,
      problem: null,
      cookies: [],
      kinds: KINDS,
      enrol: TARGET,
      password: TARGET,
      password_set: false,
      min_length: 8,
      can_show: true,
      has_password: true,
      finish: TARGET,
      missing: null,
      form_leads_to: 'self',
      added: false,
      ...more(sample),
    })

const ticket =
  (problem: (sample: Sample) => string, invited_until: number | null = null): Show =>
  (sample) =>
    ticketPage(sample, {
      realm: sample.realm,
      username: USERNAME,
      action: '/recover',
      fields: NO_FIELDS,
      invited_until,
      problem: problem(sample),
      cookies: [],
    })

const LINKED: LinkedItem = {
  id: 'link',
  label: 'ann@example.com',
  provider: 'Google',
  created_at: NOW - 86_400,
  last_used_at: null,
}

const decide =
  (undecided: boolean): Show =>
  (sample) =>
    decisionPage(sample, {
      realm: sample.realm,
      username: USERNAME,
      target: TARGET,
      items: [
        ...storedFactors(contextOf(sample)).flatMap((factor) =>
          factor.kind === 'recovery' ? [] : { ...factor, id: factor.factor_id },
        ),
        LINKED,
      ],
      decided: new URLSearchParams(undecided ? { passkey: 'keep' } : {}),
      problem: undecided ? { status: 422, text: sample.language.text('regain.undecided') } : null,
      cookies: [],
    })

export const RECOVERY: States = {
  'The link of an operator': ticket(() => ''),
  'The link of an operator, not confirmed': ticket(({ language }) => language.text('sign_in.not_confirmed')),
  'A link that does not work, without an account page': (sample) =>
    unknownTicketPage(sample, { realm: sample.realm, next: null }),
  'A link that does not work': (sample) =>
    unknownTicketPage(sample, { realm: sample.realm, next: '/account' }),
  'Which factors are still there': decide(false),
  'Which factors are still there, not answered': decide(true),
  'How to sign in from now on': recoveryChoice(),
  'How to sign in, something was added': recoveryChoice(() => ({
    added: true,
    password_set: true,
    password: null,
  })),
  'How to sign in, no way yet': recoveryChoice(() => ({ missing: 'way', has_password: false })),
  'How to sign in, a factor is missing': recoveryChoice(() => ({ missing: 'factor' })),
  'How to sign in, a password that is too short': recoveryChoice(({ language: { text } }) => ({
    problem: { status: 422, text: text('password.too_short', { min: 8 }), field: 'new_password' },
  })),
  'The recovery is done': (sample) =>
    donePage(sample, { realm: sample.realm, username: USERNAME, invited: false, target: TARGET }),
  'An invitation': ticket(() => '', NOW + 604_800),
  'An invitation, not confirmed': ticket(
    ({ language }) => language.text('sign_in.not_confirmed'),
    NOW + 604_800,
  ),
  'An invitation, how to sign in': recoveryChoice(() => ({
    missing: 'way',
    has_password: false,
    kinds: ['passkey'],
  })),
  'The invitation is accepted': (sample) =>
    donePage(sample, { realm: sample.realm, username: USERNAME, invited: true, target: TARGET }),
}
