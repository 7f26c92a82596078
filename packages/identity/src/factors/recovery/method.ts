/** Recovery codes: in the place of a passkey or an app that is lost. */

import { AS_TYPED, html } from '../../pages/html.js'
import { checkCode } from '../../sign-in/check-code.js'
import type { CodeAttempts } from '../../sign-in/code-limits.js'
import type { FactorMethod } from '../../sign-in/context.js'
import { pickFields } from '../../web/form.js'
import { codesLeft, useRecoveryCode } from './codes.js'

export const createRecoveryMethod = (attempts: CodeAttempts): FactorMethod => ({
  kind: 'recovery',
  offered: () => true,
  form(c, { factors, target, refused = null }) {
    const { text } = c.language
    if (factors.every((factor) => codesLeft(factor) === 0)) return null
    const is_refused = refused === 'recovery'
    return html`<form method="post" action="${target.action}">
${target.fields}
<input type="hidden" name="proof" value="recovery">
<div>
<label for="recovery_code">${text('recovery.code')}</label>
<input id="recovery_code" name="recovery_code" type="text" required maxlength="40" autocomplete="off"
${AS_TYPED} aria-describedby="recovery-hint${is_refused && ' error'}"${is_refused && html` aria-invalid="true" autofocus`}>
<p class="hint" id="recovery-hint">${text('recovery.hint')}</p>
</div>
<button type="submit" class="quiet">${text('totp.submit')}</button>
</form>`
  },
  async check(c, step, params) {
    const { text } = c.language
    const form = pickFields(params, ['recovery_code'])
    const code = 'fault' in form ? '' : form.fields.recovery_code
    let codes_left = 0
    const find = () => {
      for (const factor of step.factors) {
        const right = useRecoveryCode(factor, code)
        if (right === null) continue
        codes_left = right.left
        return { factor_id: factor.factor_id, state: factor.state, next_state: right.next_state }
      }
      return null
    }
    const wrong = { reason: 'wrong_code', text: text('recovery.wrong') } as const
    const check = { kind: 'recovery', find, wrong, reused: text('recovery.wrong') } as const
    const answer = await checkCode(c, attempts, { step, check })
    if ('proof' in answer) c.emit({ type: 'recovery_codes.used', sub: step.user.sub, left: codes_left })
    return answer
  },
  enrolment: null,
  start: null,
})
