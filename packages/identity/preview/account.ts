/** The account page of the preview, and the pages that ask before a change. */

import { accountPage } from '../src/pages/account.js'
import type {
  AccountView,
  ClientView,
  FactorView,
  Problem,
  SessionView,
  WaysView,
} from '../src/pages/account-view.js'
import { NOTICES } from '../src/pages/account-view.js'
import { type ConfirmView, confirmPage } from '../src/pages/confirm.js'
import { NOW, ownScopes, type Sample, type Show, type States, USER, USERNAME } from './sample.js'

const DAY = 86_400
const HIGH = { value: 'notes.delete', description: 'Delete your notes', severity: 'high' as const }
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const WAYS_TO_SIGN_IN = ['pwd', 'pin', 'otp', 'sms', 'tel', 'hwk', 'swk', 'sc', 'fpt', 'face']

export const session = ({ client }: Sample, more: Partial<SessionView>): SessionView => ({
  sid: 'current',
  current: true,
  since: NOW,
  last_used: NOW,
  user_agent: CHROME,
  amr: ['pwd'],
  clients: [client],
  more_clients: 0,
  ...more,
})

const access = (more: Partial<ClientView['access'][number]> = {}) => ({
  resource: null,
  value: '',
  scopes: ownScopes('email'),
  since: NOW - 30 * DAY,
  renewed: null,
  consented: true,
  offline: false,
  grants: [{ since: NOW - DAY, in_session: true }],
  ...more,
})

export const PASSKEY: FactorView = {
  factor_id: 'passkey',
  kind: 'passkey',
  label: 'My phone',
  synced: true,
  created_at: NOW - DAY,
  last_used_at: NOW,
}
const APP: FactorView = {
  ...PASSKEY,
  factor_id: 'app',
  kind: 'totp',
  label: 'App',
  synced: null,
  last_used_at: null,
}
const ways = (more: Partial<WaysView>): WaysView => ({
  factors: [],
  password_is_enough: more.second_step !== true,
  link_is_enough: false,
  passkeys: (more.factors ?? []).filter(({ kind }) => kind === 'passkey'),
  codes_left: null,
  kinds: ['passkey', 'totp'],
  second_step: null,
  signals: [],
  ...more,
})

export const account =
  (more: (sample: Sample) => Partial<AccountView> = () => ({})): Show =>
  (sample) =>
    accountPage(sample, {
      realm: sample.realm,
      ways: ways({}),
      remembered: [],
      username: USERNAME,
      claims: USER.claims,
      has_password: true,
      passwords: { may_set: false, may_remove: false, min_length: 8, can_show: false },
      sessions: [session(sample, {})],
      more_sessions: 0,
      clients: [],
      more_clients: 0,
      csrf_token: '',
      notice: null,
      problem: null,
      cookies: [],
      ...more(sample),
    })

/** An account without a password is signed in with a passkey. */
export const withWays = (more: Partial<WaysView>, view: Partial<AccountView> = {}): Show =>
  account((sample) => ({
    ways: ways(more),
    ...(view.has_password === false && { sessions: [session(sample, { amr: ['swk', 'user'] })] }),
    ...view,
  }))

/** The refusals of the forms, by name. */
const PROBLEMS: Record<string, (sample: Sample) => Problem> = {
  'not confirmed': ({ language: { text } }) => ({
    at: 'page',
    status: 403,
    text: text('account.not_confirmed'),
  }),
  'wrong password': ({ language: { text } }) => ({
    at: 'password',
    status: 422,
    text: text('password.wrong'),
    field: 'current_password',
  }),
  'too short': ({ language: { text } }) => ({
    at: 'password',
    status: 422,
    text: text('password.too_short', { min: 8 }),
    field: 'new_password',
  }),
  'too long': ({ language: { text } }) => ({
    at: 'password',
    status: 422,
    text: text('password.too_long', { max: 1024 }),
    field: 'new_password',
  }),
  'not repeated': ({ language: { text } }) => ({
    at: 'password',
    status: 422,
    text: text('password.not_repeated'),
    field: 'new_password_again',
  }),
  'not new': ({ language: { text } }) => ({
    at: 'password',
    status: 422,
    text: text('password.not_new'),
    field: 'new_password',
  }),
  ...Object.fromEntries(
    (['few_characters', 'own_name', 'common', 'compromised'] as const).map((reason) => [
      `new password: ${reason}`,
      ({ language: { text } }: Sample) => ({
        at: 'password' as const,
        status: 422 as const,
        text: text(`password.${reason}`),
        field: 'new_password' as const,
      }),
    ]),
  ),
  'too many attempts': ({ language: { text } }) => ({
    at: 'password',
    status: 429,
    text: text('account.throttled', { count: 12 }),
  }),
  busy: ({ language: { text } }) => ({ at: 'password', status: 503, text: text('sign_in.busy') }),
  'changed meanwhile': ({ language: { text } }) => ({
    at: 'password',
    status: 409,
    text: text('account.changed_meanwhile'),
  }),
  'passkeys are missing': ({ language: { text } }) => ({
    at: 'password',
    status: 422,
    text: text('password.needs_passkeys'),
  }),
  'the last way in': ({ language: { text } }) => ({
    at: 'ways',
    status: 422,
    text: text('ways.last_way_in'),
  }),
  'the last factor': ({ language: { text } }) => ({
    at: 'ways',
    status: 422,
    text: text('ways.last_factor'),
  }),
  'a bad name': ({ language: { text } }) => ({
    at: 'ways',
    status: 422,
    text: text('ways.bad_name', { max: 60 }),
  }),
}

const confirm =
  (view: (sample: Sample) => Pick<ConfirmView, 'action'> & Partial<ConfirmView>): Show =>
  (sample) =>
    confirmPage(sample, { realm: sample.realm, username: USERNAME, csrf_token: '', ...view(sample) })

export const ACCOUNT: States = {
  Account: account(),
  'Account, without factors': account(() => ({ ways: null })),
  'Account, sessions and applications': account((sample) => ({
    sessions: [
      session(sample, { amr: WAYS_TO_SIGN_IN.slice(0, 5) }),
      session(sample, {
        sid: 'a',
        current: false,
        since: NOW - DAY,
        amr: WAYS_TO_SIGN_IN.slice(5),
        clients: [sample.client, sample.stranger],
        more_clients: 3,
      }),
      session(sample, { sid: 'b', current: false, user_agent: null, amr: [], clients: [] }),
    ],
    more_sessions: 2,
    clients: [
      {
        ...sample.client,
        active: true,
        access: [
          access({ offline: true, renewed: NOW }),
          access({ resource: 'https://api.example.com/notes', value: 'notes', scopes: [HIGH] }),
          access({ resource: 'https://api.example.com/files', value: 'files', scopes: [] }),
        ],
      },
      { ...sample.stranger, active: false, access: [access({ consented: false })] },
      {
        ...sample.published,
        active: true,
        access: [access({ grants: [{ since: NOW - DAY, in_session: false }] })],
      },
    ],
    more_clients: 4,
  })),
  'Account, one passkey': withWays({ factors: [PASSKEY], codes_left: 10, second_step: false }),
  'Account, a passkey on one device, without codes': withWays({
    factors: [{ ...PASSKEY, synced: false }],
    second_step: false,
  }),
  'Account, an app': withWays({ factors: [APP], codes_left: 10, second_step: true }),
  'Account, several factors': withWays({ factors: [PASSKEY, APP], codes_left: 2, second_step: true }),
  'Account, remembered devices': account(() => ({
    remembered: [
      { device_id: 'a', label: 'Firefox, Linux', expires_at: NOW + 30 * DAY },
      { device_id: 'b', label: '', expires_at: NOW + DAY },
    ],
  })),
  'Account, an app without codes': withWays({ factors: [APP], codes_left: 0, second_step: true }),
  'Account, several factors without codes': withWays({
    factors: [PASSKEY, APP],
    codes_left: 0,
    second_step: true,
  }),
  'Account, factors by invitation': withWays({ kinds: [] }),
  'Account, without a password, one passkey': withWays(
    { factors: [PASSKEY] },
    { has_password: false, passwords: { may_set: true, may_remove: false, min_length: 8, can_show: false } },
  ),
  'Account, without a password, one passkey on one device': withWays(
    { factors: [{ ...PASSKEY, synced: false }] },
    { has_password: false, passwords: { may_set: true, may_remove: false, min_length: 8, can_show: false } },
  ),
  'Account, without a password, two passkeys': withWays(
    { factors: [PASSKEY, { ...PASSKEY, factor_id: 'other' }] },
    { has_password: false, passwords: null },
  ),
  'Account, the password may be removed': withWays(
    { factors: [PASSKEY, { ...PASSKEY, factor_id: 'other' }], codes_left: 10, second_step: true },
    { passwords: { may_set: true, may_remove: true, min_length: 8, can_show: false } },
  ),
  'Account, no way to sign in': withWays(
    {},
    { has_password: false, passwords: { may_set: false, may_remove: false, min_length: 8, can_show: false } },
  ),
  ...Object.fromEntries(NOTICES.map((notice) => [`Account, notice: ${notice}`, account(() => ({ notice }))])),
  ...Object.fromEntries(
    Object.entries(PROBLEMS).map(([name, problem]) => [
      `Account, refused: ${name}`,
      account((sample) => ({ problem: problem(sample) })),
    ]),
  ),
  'End a session?': confirm(() => ({ action: 'end_session', sid: 'a' })),
  'End all other sessions?': confirm(() => ({ action: 'end_others' })),
  'End a session, wrong password': confirm(({ language }) => ({
    action: 'end_session',
    problem: { status: 422, text: language.text('password.wrong') },
  })),
}
