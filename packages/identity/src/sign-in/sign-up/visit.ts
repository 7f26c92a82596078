/** The page of a sign-up, and the way back to the sign-in that it began at. */

import { isJustSignedUp } from '../../users/signed-up.js'
import { pageCookie } from '../../web/cookies.js'
import { ACCOUNT_PATH, SIGN_UP_PATH } from '../../web/paths.js'
import { checkAbuse } from '../abuse.js'
import type { FinishedSignUp, MailContext, PageContext, RecoveryParts, SignUpParts } from '../context.js'
import { pageVisitOf } from '../extensions/visit.js'
import { afterProofs } from '../finish.js'
import { elsewhere, findPrompt, inLanguageOf } from '../login.js'
import { hasPasswords } from '../passwords-of.js'
import { redirectToFlow } from '../recovery-step.js'

/** In seconds, as its link. */
const WAITING_SECONDS = 86_400
/** What is longer is not kept: a browser accepts cookies of 4 KB. */
const MAX_KEPT_CHARACTERS = 3_500
const cookie = pageCookie('ostiary_sign_up', /^[\w./?=&%~:+-]+$/)

/** Where users sign up: the realm mails, and has tickets. */
type SignUpContext = MailContext & { recovery: RecoveryParts; sign_up: SignUpParts }

export async function answerSignUp(page: PageContext): Promise<Response> {
  const values = new URL(page.request.url).searchParams.getAll('return_to')
  const prompt = values.length === 1 ? await findPrompt(page, values[0] ?? '') : null
  const c = (prompt ? inLanguageOf(page, prompt) : page) as SignUpContext
  const { realm, recovery, sign_up } = c
  const return_to = prompt?.return_to ?? ''
  const visit = pageVisitOf(c, sign_up, SIGN_UP_PATH)
  return sign_up.ways.answer({
    ...visit,
    return_to,
    has_passwords: hasPasswords(c),
    isJustSignedUp,
    page: (page) => visit.page({ ...page, ...(c.extensions.length > 0 && { form_leads_to: 'client' }) }),
    elsewhere: (username) => elsewhere(c, { username, return_to: return_to || ACCOUNT_PATH }),
    check: (form) => checkAbuse(c, 'sign_up', form),
    async send(mail) {
      await sign_up.send(c, mail)
      const is_kept = prompt && return_to.length <= MAX_KEPT_CHARACTERS
      return is_kept ? cookie.write(realm, return_to, WAITING_SECONDS) : cookie.write(realm, '', 0)
    },
    begin({ sub, credential_version }) {
      const state = recovery.states.begin({ sub, credential_version, purpose: 'invite' }, c.now())
      return redirectToFlow(c, state)
    },
  })
}

/** Goes on with the sign-in at which this browser began to sign up; null when none waits. */
export async function finishSignUp(
  c: PageContext,
  { user, cookies, proofs }: FinishedSignUp,
): Promise<Response | null> {
  const return_to = cookie.read(c.request, c.realm)
  const prompt = return_to === null ? null : await findPrompt(c, return_to)
  const forgets = cookie.write(c.realm, '', 0)
  return prompt && afterProofs(c, { prompt, user, cookies: [...cookies, forgets] }, proofs)
}
