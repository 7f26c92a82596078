/** Passkeys as a way to sign in, as a second step, and on the account page. */

import { personTag } from '@ostiary/core'
import { authenticatorName } from '@ostiary/messages'
import {
  checkAssertion,
  checkRegistration,
  creationOptions,
  type PasskeyData,
  parsedResponse,
  presentedCredential,
  requestOptions,
  type UsedPasskey,
} from '@ostiary/webauthn'
import type { FactorRefusal } from '../../events.js'
import { html } from '../../pages/html.js'
import { alertNote } from '../../pages/page.js'
import { passkeyNotes } from '../../pages/sign-in.js'
import type {
  EnrolmentAnswer,
  FactorContext,
  FactorMethod,
  FormTarget,
  RefusedProof,
  Step,
} from '../../sign-in/context.js'
import type { Factor } from '../../users/factor-store.js'
import { pickFields } from '../../web/form.js'
import { CHALLENGE_SECONDS, type Challenges, type IssuedChallenge } from './challenge.js'
import { passkeyForm } from './forms.js'
import { passkeyDataOf, passkeyFactorId } from './passkey.js'
import { displayNameOf } from './signal.js'
import { tagOfUserHandle, userHandleOf } from './user-handle.js'

/** How long the browser waits, in milliseconds. */
const timeout = CHALLENGE_SECONDS * 1000

const asked = (c: FactorContext, challenge: string) => ({ challenge, rp_id: rpId(c), timeout })

export function createPasskeyMethod(challenges: Challenges): FactorMethod {
  const ceremony = createCeremony(challenges)
  return {
    kind: 'passkey',
    offered: ({ passkeys }) => passkeys !== null,
    form(c, { factors, target, remember = null }) {
      const own = passkeysOf(c, factors)
      if (own.length === 0) return null
      const { challenge, ticket } = ceremony.issue(c, target, 'get')
      const options = requestOptions({ ...asked(c, challenge), allow: own.map(({ data }) => data) })
      const button = c.language.text('passkey.use')
      const quiet = factors.some(({ kind }) => kind === 'totp')
      const form = { ceremony: 'get', options, ticket, target, button, quiet, more: remember } as const
      return html`${passkeyForm(c.language, form)}
<noscript><p class="note warning">${c.language.text('passkey.no_script')}</p></noscript>`
    },
    async check(c, step, params) {
      const sent = ceremony.sent(c, { target: step.target, use: 'get' }, params)
      if ('reason' in sent) return sent
      const presented = presentedCredential(sent.response)
      const own = passkeysOf(c, step.factors).find(
        ({ data }) => data.credential_id === presented?.credential_id,
      )
      if (own === undefined) return refused(c, 'passkey_unknown')
      const used = checkAssertion(
        sent.response,
        { data: own.data, state: own.factor.state },
        { ...expected(c, sent.challenge), user_handle: own.data.user_handle },
      )
      if ('fault' in used) return refused(c, used.fault)
      if (!(await c.factors.claim(sent.id, sent.expires_at))) return refused(c, 'passkey_challenge')
      return finish(c, own, used)
    },
    enrolment: {
      async page(c, { user, factors, target, failed, intro }) {
        const { challenge, ticket } = ceremony.issue(c, target, 'create')
        const options = creationOptions({
          timeout,
          challenge,
          rp: { id: rpId(c), name: c.theme.name ?? new URL(c.realm.issuer).host },
          user: {
            handle: handleOf(c, { user, factors }, challenge),
            name: user.username,
            display_name: displayNameOf(user),
          },
          exclude: passkeysOf(c, factors).map(({ data }) => data),
        })
        const { text } = c.language
        const form = passkeyForm(c.language, {
          ceremony: 'create',
          options,
          ticket,
          target,
          button: text('passkey.create'),
        })
        return html`<h1>${intro?.title ?? text('enrol.passkey')}</h1>
<p>${intro?.text ?? text('passkey.explained')}</p>
${failed !== null && alertNote(failed.problem, null)}
${form}
${passkeyNotes(c.language, 'note')}`
      },
      finish: (c, step, params) => enrol(c, { step, ceremony, params }),
    },
    start: {
      form(c, target, alone) {
        const { challenge, ticket } = ceremony.issue(c, target, 'get')
        const options = requestOptions({ ...asked(c, challenge), allow: [] })
        const button = c.language.text('passkey.sign_in')
        // Passkeys are offered in the field for the name, which a page without passwords has not.
        const beside = { quiet: !alone, conditional: !alone }
        return html`
${passkeyForm(c.language, { ceremony: 'get', options, ticket, target, button, ...beside })}`
      },
      check: (c, target, params) => signIn(c, { target, ceremony, params }),
    },
  }
}

interface OwnPasskey {
  factor: Factor
  data: PasskeyData
}

/** Those of the account that work at this relying party ID. */
const passkeysOf = (c: FactorContext, factors: readonly Factor[]): OwnPasskey[] =>
  factors.flatMap((factor) => {
    const data = passkeyDataOf(factor)
    return data?.rp_id === rpId(c) ? [{ factor, data }] : []
  })

/** The method is offered where there is one. */
const rpId = ({ factors, realm }: FactorContext): string =>
  factors.settings.passkeys?.rp_id ?? new URL(realm.issuer).hostname

const expected = (c: FactorContext, challenge: string) =>
  ({
    challenge,
    origin: new URL(c.realm.issuer).origin,
    rp_id: rpId(c),
    user_verification: 'required',
  }) as const

/** One handle for all passkeys of a user: a new one replaces the old one on the same authenticator. */
const handleOf = (
  c: FactorContext,
  { user, factors }: Pick<Step, 'user' | 'factors'>,
  challenge: string,
): string => passkeysOf(c, factors)[0]?.data.user_handle ?? userHandleOf(challenge, personTag(user.sub))

const refused = (c: FactorContext, reason: FactorRefusal): RefusedProof => ({
  reason,
  text: c.language.text('passkey.refused'),
  status: 422,
})

interface Use {
  target: FormTarget
  use: 'get' | 'create'
}

type Sent = (IssuedChallenge & { response: unknown }) | RefusedProof

/** The challenges of the forms. The CSRF token belongs to the browser, and to the sign-in or the session; so does the challenge. */
function createCeremony(challenges: Challenges) {
  const binding = (c: FactorContext, { target, use }: Use) => ({
    realm: c.realm.id,
    browser: target.csrf_token,
    bound_to: use,
  })
  return {
    issue: (c: FactorContext, target: FormTarget, use: Use['use']) =>
      challenges.issue(binding(c, { target, use }), c.now()),
    /** The challenge that the form was made with, and the response of the authenticator. */
    sent(c: FactorContext, use: Use, params: URLSearchParams): Sent {
      const form = pickFields(params, ['passkey', 'passkey_ticket'])
      if ('fault' in form) return refused(c, 'passkey_malformed')
      const known = challenges.verify(form.fields.passkey_ticket, binding(c, use), c.now())
      if (known === null) return refused(c, 'passkey_challenge')
      return { ...known, response: parsedResponse(form.fields.passkey) }
    },
  }
}

type Ceremony = ReturnType<typeof createCeremony>

/** The counter is compared and set: one of two parallel requests with the same response wins. */
async function finish(c: FactorContext, { factor, data }: OwnPasskey, used: UsedPasskey) {
  const { sub, factor_id, state } = factor
  if (!(await c.factors.store.use(factor_id, state, { state: used.state, last_used_at: c.now() })))
    return refused(c, 'passkey_counter')
  if (used.counter_regressed) c.emit({ type: 'passkey.counter', sub })
  const { backup_eligible } = data
  return { proof: { kind: 'passkey', at: c.now(), backup_eligible } } as const
}

interface Posted {
  ceremony: Ceremony
  params: URLSearchParams
}

/** A sign-in without a name: the handle names the part of the storage, and the credential id the passkey in it. */
async function signIn(c: FactorContext, { target, ceremony, params }: Posted & { target: FormTarget }) {
  const sent = ceremony.sent(c, { target, use: 'get' }, params)
  if ('reason' in sent) return { ...sent, sub: null }
  const presented = presentedCredential(sent.response)
  const tag = presented?.user_handle ? tagOfUserHandle(presented.user_handle) : null
  const factor =
    presented && tag !== null
      ? await c.factors.store.find(passkeyFactorId(presented.credential_id, tag))
      : null
  const [own] = factor ? passkeysOf(c, [factor]) : []
  if (own === undefined) return { ...refused(c, 'passkey_unknown'), sub: null }
  const { sub, state } = own.factor
  const used = checkAssertion(sent.response, { data: own.data, state }, expected(c, sent.challenge))
  if ('fault' in used) return { ...refused(c, used.fault), sub }
  const user = await c.users(c.realm.id).find(sub, own.factor)
  if (user === null || user.disabled_at !== null) return { ...refused(c, 'passkey_unknown'), sub }
  const answer = await finish(c, own, used)
  if ('reason' in answer) return { ...answer, sub }
  return { user, proof: answer.proof, once: { id: sent.id, expires_at: sent.expires_at } }
}

async function enrol(
  c: FactorContext,
  { step, ceremony, params }: Posted & { step: Step },
): Promise<EnrolmentAnswer> {
  const problem = { problem: c.language.text('passkey.not_accepted') }
  const sent = ceremony.sent(c, { target: step.target, use: 'create' }, params)
  if ('reason' in sent) return problem
  const user_handle = handleOf(c, step, sent.challenge)
  const made = checkRegistration(sent.response, { ...expected(c, sent.challenge), user_handle })
  if ('fault' in made) return problem
  if (!(await c.factors.claim(sent.id, sent.expires_at))) return problem
  const { passkey, state } = made
  const { sub } = step.user
  const at = c.now()
  const factor: Factor = {
    factor_id: passkeyFactorId(passkey.credential_id, personTag(sub)),
    sub,
    kind: 'passkey',
    label: authenticatorName(passkey.aaguid) ?? c.language.text('passkey.name'),
    created_at: at,
    last_used_at: null,
    state,
    data: passkey,
  }
  return { factor, proof: { kind: 'passkey', at, backup_eligible: passkey.backup_eligible } }
}
