import type { Interactions, LoginPrompt, Realm } from '@ostiary/core'
import { accountPath, LOGIN_PATH, SIGN_UP_PATH, urlIn } from '../web/paths.js'
import type { ClientLogos } from './client-logos.js'
import { consentPage } from './consent.js'
import { devicePage } from './device.js'
import { errorPage } from './error.js'
import type { Languages } from './languages.js'
import { logoutPage, signedOutPage } from './logout.js'
import type { Presentation } from './presentation.js'
import type { ResolvedTheme } from './theme.js'

interface InteractionsOptions {
  theme: ResolvedTheme
  languages: Languages
  logos: ClientLogos
  has_account_page: boolean
  /** The kinds of factors that a realm offers. */
  methodsOf: (realm: Realm) => readonly { enrolment: unknown }[]
  signsUp: (realm: Realm) => boolean
  refused: Interactions['refused']
}

/** Every page, and what a sign-in reaches. An account that has no second factor adds one in the sign-in that needs it. */
export type BuiltInInteractions = Required<Omit<Interactions, 'reachableAcrOf' | 'refused'>> &
  Pick<Interactions, 'refused'>

/** The provider's interactions: the sign-in address, and the consent, sign-out and error pages. */
export function createInteractions({
  theme,
  languages,
  logos,
  has_account_page,
  methodsOf,
  signsUp,
  refused,
}: InteractionsOptions): BuiltInInteractions {
  const presentation = (
    { ui_locales, request }: Pick<LoginPrompt, 'ui_locales' | 'request'>,
    reference: string | null = null,
  ): Presentation => ({ theme, language: languages.choose(ui_locales, request), reference })
  return {
    async login({ realm, return_to, request, creates_account }) {
      const location = `${urlIn(realm, creates_account ? SIGN_UP_PATH : LOGIN_PATH)}?return_to=${encodeURIComponent(return_to)}`
      const status = realm.policy.redirect_status(request.method)
      return new Response(null, { status, headers: { location, 'cache-control': 'no-store' } })
    },
    consent: async (prompt) =>
      consentPage(presentation(prompt), prompt, await logos.pathOf(prompt.realm, prompt.client)),
    logout: async (prompt) => logoutPage(presentation(prompt), prompt),
    signedOut: async (prompt) =>
      signedOutPage(presentation(prompt), prompt, accountPath(prompt.realm, has_account_page)),
    device: async (prompt) =>
      devicePage(presentation(prompt), prompt, {
        logo: prompt.page === 'confirm' ? await logos.pathOf(prompt.realm, prompt.client) : null,
        account_path: accountPath(prompt.realm, has_account_page),
      }),
    // A password is one method of authentication: the second value needs a factor that a user can add.
    reachableAcr: (realm) =>
      realm.settings.acr_values_supported.slice(
        0,
        methodsOf(realm).some(({ enrolment }) => enrolment !== null) ? 2 : 1,
      ),
    signsUp,
    ...(refused && { refused }),
    error: async (prompt) => errorPage(presentation(prompt, prompt.reference), prompt),
  }
}
