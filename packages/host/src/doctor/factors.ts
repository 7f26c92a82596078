/** Factors of users that do not work, or no longer will. */

import {
  countWithoutPasskey,
  type FactorSurvey,
  type Factors,
  signInSettings,
  surveyFactors,
  type Users,
} from '@ostiary/identity'
import type { HostConfig } from '../config/host-config.js'
import { type Finding, fault, note } from './finding.js'

/** Of one realm: a few seconds for a database. */
const MAX_FACTORS = 100_000

/** Counts the factors of a realm; all of them while the secret is being changed, otherwise the first 100,000. */
export function surveyRealm(
  { secret, previous_secret }: Pick<HostConfig, 'secret' | 'previous_secret'>,
  factors: Factors,
  realm: string,
): Promise<FactorSurvey> {
  return previous_secret === undefined
    ? surveyFactors(factors(realm), { realm, secret, max: MAX_FACTORS })
    : surveyFactors(factors(realm), { realm, secret, previous_secret, max: Infinity })
}

/** @param issuer Of the realm. */
export function checkFactors(
  { realms }: Pick<HostConfig, 'realms'>,
  survey: FactorSurvey,
  { realm, issuer }: { realm: string; issuer: string },
): Finding[] {
  const { passkeys } = signInSettings({ issuer }, realms[realm]?.identity ?? {})
  return [
    ...unreadableApps(survey, realm),
    ...(passkeys === null ? [] : otherPasskeys(survey, { realm, rp_id: passkeys.rp_id })),
    ...(survey.is_complete ? [] : [incomplete(realm)]),
  ]
}

/** In a realm without passwords: users who have no passkey. @param issuer Of the realm. */
export async function checkPasskeys(
  { realms }: Pick<HostConfig, 'realms'>,
  { users, factors }: { users: Users; factors: Factors },
  { realm, issuer }: { realm: string; issuer: string },
): Promise<Finding[]> {
  const { passkeys, password } = signInSettings({ issuer }, realms[realm]?.identity ?? {})
  if (password || passkeys === null) return []
  const stores = { users: users(realm), factors: factors(realm) }
  const found = await countWithoutPasskey(stores, { rp_id: passkeys.rp_id, max: MAX_FACTORS })
  if (found === null || found.count === 0) return []
  const least = found.is_complete ? '' : 'at least '
  const message = `users of realm ${realm} who cannot sign in, because they have no passkey: ${least}${found.count}`
  return [note('factors', message, 'Let them in with ostiary user recovery-link.')]
}

const incomplete = (realm: string): Finding =>
  note('factors', `only the first ${MAX_FACTORS.toLocaleString('en')} of realm ${realm} were checked`)

export const appsText = (count: number): string => `${count} authenticator app${count === 1 ? '' : 's'}`

const unreadableApps = ({ unreadable }: FactorSurvey, realm: string): Finding[] =>
  unreadable === 0
    ? []
    : [
        fault(
          'factors',
          `another secret than OIDC_SECRET has encrypted ${appsText(unreadable)} of realm ${realm}`,
          'Set OIDC_SECRET_PREVIOUS to that secret, and run ostiary secret rotate.',
        ),
      ]

const otherPasskeys = (
  { passkeys }: FactorSurvey,
  { realm, rp_id }: { realm: string; rp_id: string },
): Finding[] =>
  [...passkeys]
    .filter(([made_for]) => made_for !== rp_id)
    .map(([made_for, count]) =>
      fault(
        'factors',
        `passkeys of realm ${realm} that do not work with ${rp_id}, because they were made for ${made_for}: ${count}`,
        'Set identity.passkeys.rp_id to that, or tell the users to add new passkeys.',
      ),
    )
