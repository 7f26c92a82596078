/** The sign-in, consent, device, sign-out and error pages of the preview. */

import type { ConsentPrompt, DevicePage, ErrorKind, LogoutPrompt } from '@ostiary/core'
import { textsOf } from '../../sign-up/src/texts.js'
import { passkeyForm } from '../src/factors/passkey/forms.js'
import { badForm } from '../src/pages/bad-form.js'
import { consentPage } from '../src/pages/consent.js'
import { devicePage } from '../src/pages/device.js'
import { errorPage, failurePage } from '../src/pages/error.js'
import { landingPage } from '../src/pages/landing.js'
import { logoutPage, signedOutPage } from '../src/pages/logout.js'
import { type SignInPrompt, type SignInView, signInPage } from '../src/pages/sign-in.js'
import { ACCOUNT_PATH } from '../src/web/paths.js'
import {
  NO_FIELDS,
  NOW,
  ownScopes,
  REDIRECT_URI,
  REQUEST,
  type Sample,
  type Show,
  type States,
  TARGET,
  USER,
  USERNAME,
} from './sample.js'

export const promptFor = (sample: Sample, more: Partial<SignInPrompt> = {}): SignInPrompt => ({
  realm: sample.realm,
  reason: 'signed_out',
  return_to: ACCOUNT_PATH,
  ui_locales: [],
  login_hint: null,
  acr_values: [],
  client: null,
  redirect_uri: null,
  ...more,
})

type Purpose = (sample: Sample) => Partial<SignInPrompt>

const signIn =
  (purpose: Purpose, view: (sample: Sample) => Partial<SignInView> = () => ({})): Show =>
  (sample) =>
    signInPage(sample, {
      prompt: promptFor(sample, purpose(sample)),
      fields: NO_FIELDS,
      start: null,
      passwords: true,
      username: '',
      error: null,
      forgot: null,
      logo: null,
      ...view(sample),
    })

const forAccount: Purpose = () => ({})
export const signInWith = (view: (sample: Sample) => Partial<SignInView>): Show => signIn(forAccount, view)
const forClient: Purpose = ({ client }) => ({ client, redirect_uri: REDIRECT_URI })
/** The button of the passkeys, as a browser that has them shows it. */
export const passkeys = ({ language }: Sample, alone = false) =>
  passkeyForm(language, {
    ceremony: 'get',
    options: {},
    ticket: '',
    target: { ...TARGET, csrf_token: '', bound_to: '' },
    button: language.text('passkey.sign_in'),
    quiet: !alone,
  })

const forgotten = ({ language }: Sample) => ({
  href: '/login/recover',
  text: language.text('sign_in.forgot'),
})

export const SIGN_IN: States = {
  'Sign in': signIn(forAccount),
  'Sign in, with a way to a new password': signIn(forAccount, (sample) => ({ forgot: forgotten(sample) })),
  'Sign in, with a sign-up': signIn(forAccount, (sample) => ({
    forgot: forgotten(sample),
    sign_up: { href: '/login/signup', text: textsOf(sample.language.tag).title },
  })),
  'Sign in, with passkeys': signIn(forAccount, (sample) => ({ start: passkeys(sample) })),
  'Sign in, passkeys alone': signIn(forAccount, (sample) => ({
    passwords: false,
    start: passkeys(sample, true),
  })),
  'Sign in for an application': signIn(forClient),
  'Sign in again for an application': signIn((sample) => ({ ...forClient(sample), reason: 'prompt' })),
  'A stronger sign-in for an application': signIn((sample) => ({ ...forClient(sample), reason: 'acr' })),
  'Sign in for an application that registered itself': signIn(({ stranger: client }) => ({
    client,
    redirect_uri: 'http://localhost:33418/',
  })),
  'Sign in for an application with a document': signIn(({ published: client }) => ({
    client,
    redirect_uri: 'http://agent.example/callback',
  })),
  'Sign in for a device': signIn(() => ({ return_to: '/device', purpose: 'sign_in.for_device' })),
  'Wrong password': signIn(forClient, ({ language: { text } }) => ({
    username: USERNAME,
    status: 422,
    error: text('sign_in.wrong'),
  })),
  'Too many attempts': signIn(forAccount, ({ language: { text } }) => ({
    username: USERNAME,
    status: 429,
    error: text('sign_in.throttled', { count: 12 }),
  })),
  'Too many sign-ins at once': signIn(forAccount, ({ language: { text } }) => ({
    username: USERNAME,
    status: 503,
    error: text('sign_in.busy'),
  })),
  'A form that is not confirmed': signIn(forAccount, ({ language: { text } }) => ({
    status: 403,
    error: text('sign_in.not_confirmed'),
  })),
  'The page at the root': (sample) => landingPage(sample, sample.realm, ACCOUNT_PATH),
}

const consent =
  (more: (sample: Sample) => Partial<ConsentPrompt>): Show =>
  (sample) =>
    consentPage(
      sample,
      {
        realm: sample.realm,
        client: sample.client,
        user: USER,
        redirect_uri: REDIRECT_URI,
        request: REQUEST,
        scopes: ownScopes('openid', 'profile', 'email'),
        resources: [],
        client_host: null,
        client_origin: 'operator',
        loopback_only: false,
        redirect_host: 'reports.example',
        offline_access: false,
        auth_token: '',
        action: '/oauth/authorize/consent',
        return_to: '/',
        ui_locales: [],
        ...more(sample),
      },
      null,
    )

const HIGH = { value: 'notes.delete', description: 'Delete your notes', severity: 'high' } as const
const ALL_SCOPES: ConsentPrompt['scopes'] = [
  ...ownScopes('openid', 'profile', 'email', 'address', 'phone'),
  { value: 'notes.read', description: 'Read your notes', severity: 'normal' },
  ...['a', 'b', 'c'].map((name) => ({
    value: `notes.${name}`,
    description: `Use your notes, ${name}`,
    severity: 'normal' as const,
  })),
  HIGH,
]

export const CONSENT: States = {
  Consent: consent(() => ({})),
  'Consent, many scopes and an API': consent(() => ({
    scopes: ALL_SCOPES,
    resources: ['https://api.example.com/notes'],
    offline_access: true,
  })),
  'Consent, sensitive scopes alone': consent(() => ({ scopes: [HIGH] })),
  'Consent, no scope': consent(() => ({ scopes: [] })),
  'Consent, an application that registered itself': consent(({ stranger: client }) => ({
    client,
    client_origin: 'registered',
    loopback_only: true,
    redirect_uri: 'http://localhost:33418/',
    redirect_host: 'localhost',
  })),
  'Consent, an application with a document': consent(({ published: client }) => ({
    client,
    client_origin: 'metadata_document',
    client_host: 'agent.example',
    loopback_only: true,
  })),
}

const device =
  (page: (sample: Sample) => DevicePage): Show =>
  (sample) =>
    devicePage(
      sample,
      { ...page(sample), realm: sample.realm, action: '/device', ui_locales: [], request: REQUEST },
      { logo: null, account_path: ACCOUNT_PATH },
    )

const question =
  (more: Partial<Extract<DevicePage, { page: 'confirm' }>>): Show =>
  (sample) =>
    device(({ client }) => ({
      page: 'confirm',
      client,
      user: USER,
      user_code: 'WDJB-MJHT',
      scopes: ownScopes('openid'),
      resources: [],
      any_program: false,
      requested_at: NOW,
      address: '192.0.2.7',
      is_other_address: false,
      max_lifetime: 7_776_000,
      confirmation_token: '',
      ...more,
    }))(sample)

export const DEVICE: States = {
  'The code of a device': device(() => ({ page: 'code', user_code: null, problem: null })),
  'A wrong code': device(() => ({ page: 'code', user_code: 'WDJB-MJHT', problem: 'unknown' })),
  'A question that has expired': device(() => ({ page: 'code', user_code: null, problem: 'expired' })),
  'Connect a device?': question({}),
  'Connect a device elsewhere, of any program?': question({ any_program: true, is_other_address: true }),
  'Connect a device, its address is not known?': question({ address: null }),
  'The device is connected': device(({ client }) => ({ page: 'approved', client })),
  'The device is refused': device(({ client }) => ({ page: 'refused', client })),
}

const signOut =
  (more: (sample: Sample) => Partial<LogoutPrompt>): Show =>
  (sample) =>
    logoutPage(sample, {
      realm: sample.realm,
      client: null,
      user: USER,
      confirmation_token: '',
      action: '/oauth/logout',
      redirect_uri: null,
      ui_locales: [],
      request: REQUEST,
      ...more(sample),
    })

const signedOut =
  (was_signed_in: boolean, redirect_refused: boolean): Show =>
  (sample) =>
    signedOutPage(
      sample,
      {
        realm: sample.realm,
        client: sample.client,
        was_signed_in,
        redirect_refused,
        ui_locales: [],
        request: REQUEST,
      },
      ACCOUNT_PATH,
    )

export const SIGN_OUT: States = {
  'Sign out?': signOut(() => ({})),
  'Sign out, for an application?': signOut(({ client }) => ({ client, redirect_uri: REDIRECT_URI })),
  'Signed out': signedOut(true, false),
  'Signed out, the way back is not registered': signedOut(true, true),
  'Nobody was signed in': signedOut(false, false),
}

const kind =
  (name: ErrorKind): Show =>
  (sample) =>
    errorPage(
      { ...sample, reference: 'f3a1' },
      {
        realm: sample.realm,
        status: 400,
        code: 'invalid_request',
        kind: name,
        description: 'The description for developers, in English',
      },
    )

const status =
  (code: number): Show =>
  (sample) =>
    errorPage(
      { ...sample, reference: 'f3a1' },
      {
        realm: sample.realm,
        status: code,
        code: 'invalid_request',
        description: 'For developers, in English',
      },
    )

const form =
  (fault: 'wrong_type' | 'too_large' | 'malformed'): Show =>
  (sample) =>
    badForm(sample, { fault, advice: fault === 'malformed' ? 'form.account_advice' : 'error.go_back' })

export const ERRORS: States = {
  Expired: kind('expired'),
  'Answered already': kind('answered'),
  'Unknown application': kind('unknown_client'),
  'Address that is not registered': kind('unregistered_redirect_uri'),
  'Request of another application': kind('foreign_request'),
  ...Object.fromEntries([400, 403, 404, 405, 413, 429].map((code) => [`Status ${code}`, status(code)])),
  'The database is away': (sample) => failurePage(sample, sample.realm, true),
  'A fault of the server': (sample) => failurePage(sample, sample.realm, false),
  'A form of another type': form('wrong_type'),
  'A form that is too large': form('too_large'),
  'A form that is damaged': form('malformed'),
}
