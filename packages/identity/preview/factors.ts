/** The second step, and the pages that add a factor. The forms are those of the factors themselves. */

import { memoryStorage } from '@ostiary/core/memory'
import { createFactorParts } from '../src/factors/parts.js'
import { confirmStepPage } from '../src/pages/factors/confirm-step.js'
import { offerAnswers } from '../src/pages/factors/offer.js'
import { rememberField } from '../src/pages/factors/remembered.js'
import {
  type ChooseFactorView,
  chooseFactorPage,
  enrolmentPage,
  type RefusedForm,
  recoveryCodesPage,
  type SecondStepView,
  secondStepPage,
} from '../src/pages/factors/steps.js'
import { type Html, html } from '../src/pages/html.js'
import type { CodeAttempts } from '../src/sign-in/code-limits.js'
import type { FactorContext, FactorParts, Step } from '../src/sign-in/context.js'
import type { Factor, FactorKind } from '../src/users/factor-store.js'
import { memoryUserStores } from '../src/users/memory-users.js'
import type { User } from '../src/users/user-store.js'
import {
  NO_FIELDS,
  NOW,
  REDIRECT_URI,
  type Sample,
  type Show,
  type States,
  TARGET,
  USER,
  USERNAME,
} from './sample.js'
import { promptFor } from './sign-in.js'

const FORM = { ...TARGET, csrf_token: '', bound_to: '' }
export const KINDS: readonly FactorKind[] = ['passkey', 'totp', 'recovery']
const PERSON: User = {
  sub: 'ada',
  username: USERNAME,
  username_key: USERNAME,
  password_hash: null,
  claims: USER.claims,
  attributes: null,
  groups: null,
  created_at: NOW,
  updated_at: NOW,
  disabled_at: null,
  credential_version: 0,
  second_step: false,
}

/** The factors of a realm that offers all kinds. */
function partsOf({ realm }: Sample): FactorParts {
  const storage = memoryStorage()
  const parts = createFactorParts({
    factors: memoryUserStores().factors,
    replays: (id) => storage(id).replays,
    settings: () => ({ passkeys: { enabled: true }, second_factor: 'optional' }),
    secret: 'the preview has no secrets to keep',
    // No code is checked here.
    code_attempts: {} as CodeAttempts,
    now: () => NOW,
  })?.(realm)
  if (!parts) throw new Error('the realm of the preview offers no factors')
  return parts
}

/** What the forms and the pages of a factor need of a request. */
export const contextOf = (sample: Sample): FactorContext =>
  ({ ...sample, factors: partsOf(sample), now: () => NOW }) as unknown as FactorContext

/** One of each kind. */
export function storedFactors({ factors, realm }: FactorContext): Factor[] {
  const stored = { sub: PERSON.sub, created_at: NOW, last_used_at: null }
  const data = {
    rp_id: factors.settings.passkeys?.rp_id ?? new URL(realm.issuer).hostname,
    credential_id: 'AAAA',
    user_handle: 'AAAA',
    public_key: 'AAAA',
    algorithm: -7,
    backup_eligible: false,
    transports: [],
    aaguid: '00000000-0000-0000-0000-000000000000',
  }
  return [
    { ...stored, factor_id: 'passkey', kind: 'passkey', label: 'My phone', state: '0 0', data },
    { ...stored, factor_id: 'app', kind: 'totp', label: 'App', last_used_at: NOW, state: '0', data: {} },
    factors.newRecoveryCodes(PERSON.sub, NOW).factor,
  ]
}

/** The forms of the kinds, for an account that has them. */
function formsFor(
  sample: Sample,
  kinds: readonly FactorKind[],
  more: Pick<Step, 'refused' | 'remember'> = {},
) {
  const c = contextOf(sample)
  const own = storedFactors(c).filter(({ kind }) => kinds.includes(kind))
  return c.factors.methods.flatMap((method) => {
    const form = method.form(c, { user: PERSON, factors: own, target: FORM, ...more })
    return form === null ? [] : [{ kind: method.kind, form }]
  })
}

const SECOND_STEP = {
  username: USERNAME,
  restart: TARGET,
  asked_by_client: false,
  cancel: TARGET,
  cookies: [],
}

interface Remembered {
  /** For how many days this device may be remembered. */
  days?: number
}

const secondStep =
  (
    kinds: readonly FactorKind[],
    more: (sample: Sample) => Partial<SecondStepView> & Remembered = () => ({}),
  ): Show =>
  (sample) => {
    const { days = 0, ...view } = more(sample)
    const remember = days > 0 ? rememberField(sample.language, days) : null
    const forms = formsFor(sample, kinds, { refused: view.refused?.kind ?? null, remember })
    return secondStepPage(sample, {
      ...SECOND_STEP,
      prompt: promptFor(sample, { client: sample.client, redirect_uri: REDIRECT_URI }),
      forms,
      refused: null,
      ...view,
    })
  }

const wrong = (kind: FactorKind, text: string): RefusedForm => ({ kind, text, status: 422 })

const choose =
  (kinds: readonly FactorKind[], asked_by_client: boolean): Show =>
  (sample) => {
    const view: ChooseFactorView = {
      ...SECOND_STEP,
      asked_by_client,
      prompt: promptFor(sample, { client: sample.client, redirect_uri: REDIRECT_URI }),
      enrol: TARGET,
      kinds,
    }
    return chooseFactorPage(sample, view)
  }

interface Enrolling {
  failed?: string
  offer?: boolean
}

const enrol =
  (kind: 'passkey' | 'totp', more: (sample: Sample) => Enrolling = () => ({})): Show =>
  async (sample) => {
    const { failed, offer } = more(sample)
    const c = contextOf(sample)
    const { text } = sample.language
    const method = c.factors.methods.find((one) => one.kind === kind)
    const intro = offer === true ? { title: text('offer.title'), text: text('offer.explained') } : null
    const problem = failed === undefined ? null : { params: new URLSearchParams(), problem: failed }
    const enrolment = { user: PERSON, factors: [], target: FORM, failed: problem, ...(intro && { intro }) }
    const body: Html = (await method?.enrolment?.page(c, enrolment)) ?? NO_FIELDS
    return enrolmentPage(sample, {
      realm: sample.realm,
      ...intro,
      body,
      status: problem === null ? 200 : 422,
      cookies: [],
      form_leads_to: 'self',
      back: intro
        ? offerAnswers(sample.language, TARGET)
        : html`<p class="small"><a class="switch" href="/login">${text('enrol.other')}</a></p>`,
    })
  }

const confirmStep =
  (kinds: readonly FactorKind[], password: boolean): Show =>
  (sample) =>
    confirmStepPage(sample, {
      realm: sample.realm,
      username: USERNAME,
      forms: formsFor(sample, kinds),
      password: password ? TARGET : null,
      refused: null,
    })

export const FACTORS: States = {
  'Second step': secondStep(KINDS),
  'Second step, for an application': secondStep(KINDS, () => ({ asked_by_client: true })),
  'Second step, this device may be remembered': secondStep(['totp', 'recovery'], () => ({ days: 30 })),
  'Second step, a passkey alone': secondStep(['passkey']),
  'Second step, no factor works here': secondStep([]),
  'Second step, wrong code': secondStep(KINDS, ({ language: { text } }) => ({
    refused: wrong('totp', text('totp.wrong')),
  })),
  'Second step, used code': secondStep(KINDS, ({ language: { text } }) => ({
    refused: wrong('totp', text('totp.reused')),
  })),
  'Second step, wrong recovery code': secondStep(KINDS, ({ language: { text } }) => ({
    refused: wrong('recovery', text('recovery.wrong')),
  })),
  'Second step, refused passkey': secondStep(KINDS, ({ language: { text } }) => ({
    refused: wrong('passkey', text('passkey.refused')),
  })),
  'A factor is needed': choose(KINDS, false),
  'A factor is needed by an application': choose(KINDS, true),
  'A factor by invitation': choose([], false),
  'A factor by invitation, for an application': choose([], true),
  'Create a passkey': enrol('passkey'),
  'Create a passkey, not accepted': enrol('passkey', ({ language: { text } }) => ({
    failed: text('passkey.not_accepted'),
  })),
  'The offer of a passkey': enrol('passkey', () => ({ offer: true })),
  'Add an app': enrol('totp'),
  'Add an app, wrong code': enrol('totp', ({ language: { text } }) => ({ failed: text('totp.wrong') })),
  'Add an app, too late': enrol('totp', ({ language: { text } }) => ({ failed: text('totp.expired') })),
  'Recovery codes': (sample) =>
    recoveryCodesPage(sample, {
      realm: sample.realm,
      codes: Array.from({ length: 10 }, (_, index) => `0000-0000-0000-000${index}`),
      user: PERSON,
      now: NOW,
      target: TARGET,
      download: TARGET,
      cookies: [],
      form_leads_to: 'self',
    }),
  'Confirm before a change': confirmStep(KINDS, false),
  'Confirm before a change, with the password': confirmStep([], true),
  'Confirm before a change, sign in again': confirmStep([], false),
}
