import type { Interactions } from '@ostiary/core'
import { LOGIN_PATH, urlIn } from '../web/paths.js'
import { consentPage } from './consent.js'
import { errorPage } from './error.js'
import { logoutPage, signedOutPage } from './logout.js'
import type { Presentation } from './presentation.js'

/** The provider's interactions: the sign-in address, and the consent, sign-out and error pages. */
export function createInteractions(presentation: Presentation): Required<Interactions> {
  return {
    async login({ realm, return_to, request }) {
      const location = `${urlIn(realm, LOGIN_PATH)}?return_to=${encodeURIComponent(return_to)}`
      // After a POST, only 303 makes every browser continue with GET (RFC 9110 §15.4.4).
      const status = request.method === 'POST' ? 303 : 302
      return new Response(null, { status, headers: { location, 'cache-control': 'no-store' } })
    },
    consent: async (prompt) => consentPage(presentation, prompt),
    logout: async (prompt) => logoutPage(presentation, prompt),
    signedOut: async (prompt) => signedOutPage(presentation, prompt),
    error: async (prompt) => errorPage(presentation, prompt),
  }
}
