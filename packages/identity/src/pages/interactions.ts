import type { Interactions } from '@ostiary/core'
import { LOGIN_PATH, urlIn } from '../web/paths.js'
import { consentPage } from './consent.js'
import { errorPage } from './error.js'
import { logoutPage, signedOutPage } from './logout.js'
import type { ResolvedTheme } from './theme.js'

/** The provider's interactions: the sign-in address, and the consent, sign-out and error pages. */
export function createInteractions(theme: ResolvedTheme): Required<Interactions> {
  return {
    async login({ realm, return_to, request }) {
      const location = `${urlIn(realm, LOGIN_PATH)}?return_to=${encodeURIComponent(return_to)}`
      // After a POST, only 303 makes every browser continue with GET (RFC 9110 §15.4.4).
      const status = request.method === 'POST' ? 303 : 302
      return new Response(null, { status, headers: { location, 'cache-control': 'no-store' } })
    },
    consent: async (prompt) => consentPage(theme, prompt),
    logout: async (prompt) => logoutPage(theme, prompt),
    signedOut: async (prompt) => signedOutPage(theme, prompt),
    error: async (prompt) => errorPage(theme, { ...prompt, description: withAdvice(prompt.description) }),
  }
}

const ADVICE = 'Go back to the application and start again.'

/** The provider's descriptions are for programs, and do not tell the user what to do. */
const withAdvice = (description: string): string =>
  description.includes(ADVICE) ? description : `${description}. ${ADVICE}`
