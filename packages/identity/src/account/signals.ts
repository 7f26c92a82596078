/** What the account page tells browsers about passkeys. After a removal it is carried to the next page in a cookie. */

import type { PasskeySignal } from '../pages/account-view.js'
import type { FactorParts } from '../sign-in/context.js'
import type { Factor } from '../users/factor-store.js'
import { pageCookie } from '../web/cookies.js'
import { type AccountContext, NOTICE_SECONDS } from './context.js'

const cookie = pageCookie('ostiary_account_signal', /^[\w-]+$/)

/** The cookies of the redirect after a removal. */
export function signalCookies(c: AccountContext & { factors: FactorParts }, removed: Factor): string[] {
  const text = c.factors.signals.removed(c.realm, removed)
  return text === null ? [] : [cookie.write(c.realm, text, NOTICE_SECONDS)]
}

interface Told {
  signals: readonly PasskeySignal[]
  /** Removes what was carried. */
  cookie: string | null
}

export const NOTHING_TOLD: Told = { signals: [], cookie: null }

/** @param factors Read for this page, so after a removal: browsers delete the passkeys that are not among them. */
export function takeSignals(
  { factors: parts, realm, request, user }: AccountContext,
  factors: readonly Factor[],
): Told {
  if (parts === null) return NOTHING_TOLD
  const account = { user, factors }
  const text = cookie.read(request, realm)
  const accepted = text === null ? null : parts.signals.accepted(realm, account, text)
  const signals = [accepted, parts.signals.details(parts.settings, account)].filter((one) => one !== null)
  return { signals, cookie: text === null ? null : cookie.write(realm, '', 0) }
}
