/** Authenticator apps as a second step, and on the account page. */

import { acceptedStep, groupedSecret, totpUri } from '@ostiary/totp'
import { html } from '../../pages/html.js'
import { alertNote } from '../../pages/page.js'
import { checkCode } from '../../sign-in/check-code.js'
import type { CodeAttempts } from '../../sign-in/code-limits.js'
import type { Enrolment, EnrolmentAnswer, FactorContext, FactorMethod, Step } from '../../sign-in/context.js'
import { pickFields } from '../../web/form.js'
import type { Sealer } from '../../web/sealed.js'
import { codeField } from './code-field.js'
import { qrCode } from './qr.js'
import { checkTotp, newEnrolment, newTotpFactor, readEnrolment } from './totp-factor.js'

interface TotpOptions {
  /** Of the secrets that are stored. */
  sealer: Sealer
  /** Of the secret on the page that adds an app. */
  enrolments: Sealer
  attempts: CodeAttempts
}

export function createTotpMethod({ sealer, enrolments, attempts }: TotpOptions): FactorMethod {
  const stored = (c: FactorContext) => ({ sealer, realm: c.realm.id, now: c.now() })
  const begun = (c: FactorContext) => ({ sealer: enrolments, realm: c.realm.id, now: c.now() })
  /** The secret of the page belongs to the user and the session, or the sign-in, in which it was shown. */
  const sessionOf = ({ user, target }: Step) => ({ sub: user.sub, sid: target.bound_to })
  return {
    kind: 'totp',
    // Its code is asked for after a password.
    offered: ({ second_factor, password }) => second_factor !== 'off' && password,
    form(c, { factors, target, refused = null, remember = null }) {
      if (factors.every(({ kind }) => kind !== 'totp')) return null
      return html`<form method="post" action="${target.action}">
${target.fields}
<input type="hidden" name="proof" value="totp">
${codeField(c.language, { autofocus: refused !== 'recovery', refused: refused === 'totp' })}${remember}
<button type="submit">${c.language.text('totp.submit')}</button>
</form>`
    },
    async check(c, step, params) {
      const { text } = c.language
      const form = pickFields(params, ['code'])
      const code = 'fault' in form ? '' : form.fields.code
      const find = () => {
        for (const factor of step.factors) {
          const right = factor.kind === 'totp' ? checkTotp(factor, code, stored(c)) : null
          if (right) return { ...right, factor_id: factor.factor_id, state: factor.state }
        }
        return null
      }
      const wrong = { reason: 'wrong_code', text: text('totp.wrong') } as const
      const check = { kind: 'totp', find, wrong, reused: text('totp.reused') } as const
      return checkCode(c, attempts, { step, check })
    },
    enrolment: {
      async page(c, enrolment) {
        const session = sessionOf(enrolment)
        const typed = enrolment.failed?.params.get('totp_secret') ?? ''
        const known = readEnrolment(typed, session, begun(c))
        const { secret, sealed } = known ? { ...known, sealed: typed } : newEnrolment(session, begun(c))
        return enrolmentBody(c, { enrolment, secret, sealed })
      },
      async finish(c, step, params) {
        const { text } = c.language
        const form = pickFields(params, ['code', 'totp_secret'])
        const fields = 'fault' in form ? { code: '', totp_secret: '' } : form.fields
        const read = readEnrolment(fields.totp_secret, sessionOf(step), begun(c))
        if (read === null) return { problem: text('totp.expired') }
        const accepted = acceptedStep(read.secret, fields.code, { now: c.now(), last_step: 0 })
        if (accepted === null) return { problem: text('totp.wrong') }
        const { sub } = step.user
        const totp = { sub, label: text('totp.name'), secret: read.secret, step: accepted }
        const answer: EnrolmentAnswer = {
          factor: newTotpFactor(totp, stored(c)),
          proof: { kind: 'totp', at: c.now() },
        }
        return answer
      },
    },
    start: null,
  }
}

interface EnrolmentPage {
  enrolment: Enrolment
  secret: Buffer
  sealed: string
}

async function enrolmentBody(c: FactorContext, { enrolment, secret, sealed }: EnrolmentPage) {
  const { text } = c.language
  const { user, target, failed } = enrolment
  const { host } = new URL(c.realm.issuer)
  const issuer = c.theme.name === null ? host : `${c.theme.name} (${host})`
  const picture = await qrCode(totpUri(secret, { issuer, username: user.username }), text('totp.picture'))
  return html`<h1>${text('enrol.totp')}</h1>
<p>${text('totp.scan')}</p>
<div class="qr">${picture}</div>
<p class="aside">${text('totp.by_hand')} <code class="key">${groupedSecret(secret)}</code></p>

<form method="post" action="${target.action}">
${target.fields}
<input type="hidden" name="method" value="totp">
<input type="hidden" name="totp_secret" value="${sealed}">
<p>${text('totp.then')}</p>${failed !== null && html`\n${alertNote(failed.problem)}`}
${codeField(c.language, { autofocus: failed !== null, refused: failed !== null })}
<button type="submit">${text('totp.submit')}</button>
</form>`
}
