/**
 * The pages with other providers: the buttons of the sign-in page, the section of the account page, and the refusals. They are those of
 * `@ostiary/upstream`, from its sources: identity does not depend on it.
 */

import { createUpstreams } from '../../upstream/src/index.js'
import { refused } from '../../upstream/src/pages/flow.js'
import type { UpstreamReason } from '../../upstream/src/refusal.js'
import { textsOf } from '../../upstream/src/texts.js'
import { confirmStepPage } from '../src/pages/factors/confirm-step.js'
import { type Html, html } from '../src/pages/html.js'
import { renderPage } from '../src/pages/page.js'
import type { SignInView } from '../src/pages/sign-in.js'
import type { UserVisit } from '../src/sign-in/extensions/seam.js'
import type { Link, LinkStore } from '../src/users/link-store.js'
import { account, PASSKEY, session, withWays } from './account.js'
import { NO_FIELDS, NOW, type Sample, type Show, type States, TARGET, USER, USERNAME } from './sample.js'
import { passkeys, promptFor, signInWith } from './sign-in.js'

const LONG_NAME = 'Rechnungsprüfungsverwaltungsgesellschaft'
const provider = (name: string, issuer: string) =>
  ({ type: 'oidc', issuer, client_id: 'ostiary', client_secret: 'none', name }) as const
const REALM = {
  google: provider('Google', 'https://accounts.google.com'),
  corp: provider(LONG_NAME, 'https://login.corp.example'),
}

const link = (upstream: string, { issuer, label }: Pick<Link, 'issuer' | 'label'>): Link => ({
  issuer,
  subject: label,
  upstream,
  sub: USER.sub,
  label,
  linked_at: NOW,
  last_used_at: null,
})
const GOOGLE = link('google', { issuer: REALM.google.issuer, label: 'ada@example.com' })
const FORMER = link('former', { issuer: 'https://former.example', label: 'ada' })

const upstreams = (links: readonly Link[] = []) =>
  createUpstreams({
    realms: { default: REALM },
    links: () => ({ list: async () => [...links] }) as unknown as LinkStore,
  })

/** What these pages are made with, without a browser that sends cookies. */
const visit = (sample: Sample): UserVisit =>
  ({
    ...sample,
    html,
    user: { sub: USER.sub },
    emit() {},
    cookie: () => ({ read: () => null, write: () => '' }),
    page: (page: Parameters<UserVisit['page']>[0]) => renderPage(sample, { realm: sample.realm, ...page }),
    target: () => TARGET,
  }) as unknown as UserVisit

const signIn = (more: (sample: Sample) => Partial<SignInView>): Show =>
  signInWith((sample) => ({
    others: shown(upstreams().buttons?.(visit(sample), NO_FIELDS, null)),
    ...more(sample),
  }))

/** The section of the account page. */
const sectionOf = async (sample: Sample, links: readonly Link[]) => ({
  sections: shown((await upstreams(links).section?.(visit(sample)))?.html),
  has_links: true,
})

const shown = (html: Html | null | undefined): Html[] => (html ? [html] : [])

const linked =
  (
    links: readonly Link[],
    problem: (texts: ReturnType<typeof textsOf>) => string | null = () => null,
  ): Show =>
  async (sample) => {
    const section = await sectionOf(sample, links)
    const text = problem(textsOf(sample.language.tag))
    return account(() => ({
      ...section,
      problem: text === null ? null : { at: 'page', status: 422, text },
    }))(sample)
  }

/** With a link that is enough beside one passkey. */
const besidePasskey =
  (codes_left: number | null, view: Parameters<typeof withWays>[1]): Show =>
  async (sample) => {
    const section = await sectionOf(sample, [GOOGLE])
    return withWays({ factors: [PASSKEY], codes_left, link_is_enough: true }, { ...section, ...view })(sample)
  }

const refusal =
  (reason: UpstreamReason): Show =>
  (sample) => {
    const ways = { list: () => [{ id: 'google', name: 'Google' }] } as unknown as Parameters<
      typeof refused
    >[1]
    const { return_to } = promptFor(sample)
    return refused(visit(sample), ways, {
      id: 'google',
      refusal: { reason, sub: null },
      purpose: { kind: 'sign_in', return_to },
    })
  }

/** One of each page: reasons that have the same sentences are left out. */
const REFUSALS: Readonly<Record<string, UpstreamReason>> = {
  cancelled: 'access_denied',
  'it cannot be reached': 'unreachable',
  'its answer is wrong': 'bad_response',
  'no account here': 'no_account',
  'an address of another domain': 'domain',
  'another tenant': 'tenant',
  'the account is linked already': 'linked_elsewhere',
  'another account than the linked one': 'other_account',
  'the round trip is over': 'state_unknown',
  'too many answers': 'throttled',
  'the account has changed': 'changed_meanwhile',
}

export const UPSTREAMS: States = {
  'Sign in, with two providers': signIn(() => ({})),
  'Sign in, with passkeys and two providers': signIn((sample) => ({ start: passkeys(sample) })),
  'Sign in, passkeys and providers alone': signIn((sample) => ({
    passwords: false,
    start: passkeys(sample, true),
  })),
  'Confirm it at a provider': async (sample) =>
    confirmStepPage(sample, {
      realm: sample.realm,
      username: USERNAME,
      forms: [],
      password: null,
      others: (await upstreams([GOOGLE]).proofs?.(visit(sample))) ?? [],
      refused: null,
    }),
  'Account, no linked account': linked([]),
  'Account, a linked account': linked([GOOGLE]),
  'Account, signed in with a linked account': async (sample) => {
    const section = await sectionOf(sample, [GOOGLE])
    return account(() => ({ ...section, sessions: [session(sample, { amr: [] })] }))(sample)
  },
  'Account, linked accounts, one of a former provider': linked([GOOGLE, FORMER]),
  'Account, without a password, one passkey and a linked account': besidePasskey(null, {
    has_password: false,
    passwords: { may_set: true, may_remove: false, min_length: 8, can_show: false },
  }),
  'Account, the password may be removed, for a passkey and a linked account': besidePasskey(10, {
    passwords: { may_set: true, may_remove: true, min_length: 8, can_show: false },
  }),
  'Account, refused: the last linked account': linked([GOOGLE], ({ last_way_in }) => last_way_in),
  'Account, refused: the account has changed, with linked accounts': linked(
    [GOOGLE],
    ({ changed }) => changed,
  ),
  'Account, refused: the sign-in was too long ago': linked([GOOGLE], ({ not_fresh }) => not_fresh),
  ...Object.fromEntries(
    Object.entries(REFUSALS).map(([name, reason]) => [`Provider, refused: ${name}`, refusal(reason)]),
  ),
}
