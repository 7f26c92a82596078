/** What an operator does with the factors of a whole realm. They are read in pages: memory does not grow with the number of users. */

import type { Factor, FactorStore } from '../users/factor-store.js'
import type { User, UserStore } from '../users/user-store.js'
import { createSealer, type SealerSecrets } from '../web/sealed.js'
import { passkeyDataOf } from './passkey/passkey.js'
import { openTotp, resealTotp, TOTP_SECRET_USE } from './totp/totp-factor.js'

const PAGE = 1000

/** The secrets of the provider, and the id of the realm. */
export interface FactorSecrets extends SealerSecrets {
  realm: string
}

/** The authenticator apps of a realm, in numbers. */
export interface SealedApps {
  apps: number
  /** Those whose secret neither secret of the provider opens. Their codes do not work. */
  unreadable: number
}

/** What `resealFactors` has done. */
export interface ResealReport extends SealedApps {
  /** Those whose secret is sealed anew. */
  sealed_anew: number
}

/**
 * Seals the secrets of authenticator apps that the previous secret of the provider has sealed with the current one. After an
 * interruption, the next call does the rest.
 */
export async function resealFactors(store: FactorStore, secrets: FactorSecrets): Promise<ResealReport> {
  const c = { realm: secrets.realm, sealer: createSealer(secrets, TOTP_SECRET_USE) }
  const report: ResealReport = { apps: 0, unreadable: 0, sealed_anew: 0 }
  for await (const factor of allFactors(store)) {
    if (factor.kind !== 'totp') continue
    report.apps += 1
    if (openTotp(factor, c) === null) report.unreadable += 1
    const data = resealTotp(factor, c)
    // False: the app was removed meanwhile, or another call has sealed its secret.
    if (data !== null && (await store.reseal(factor.factor_id, factor.data, data))) report.sealed_anew += 1
  }
  return report
}

/** What is stored in a realm. */
export interface FactorSurvey extends SealedApps {
  /** Whether all factors were read. */
  is_complete: boolean
  /** The apps whose secret the previous secret of the provider has sealed. */
  sealed_before: number
  /** The number of passkeys by the RP ID for which they were made. */
  passkeys: ReadonlyMap<string, number>
}

/** Counts the factors of a realm. @param max How many are read at most. */
export async function surveyFactors(
  store: FactorStore,
  { max, ...secrets }: FactorSecrets & { max: number },
): Promise<FactorSurvey> {
  const c = { realm: secrets.realm, sealer: createSealer(secrets, TOTP_SECRET_USE) }
  const passkeys = new Map<string, number>()
  const apps = { apps: 0, unreadable: 0, sealed_before: 0 }
  let read = 0
  for await (const factor of allFactors(store)) {
    if (read === max) return { ...apps, passkeys, is_complete: false }
    read += 1
    const passkey = passkeyDataOf(factor)
    if (passkey !== null) passkeys.set(passkey.rp_id, (passkeys.get(passkey.rp_id) ?? 0) + 1)
    if (factor.kind !== 'totp') continue
    const opened = openTotp(factor, c)
    apps.apps += 1
    if (opened === null) apps.unreadable += 1
    if (opened?.is_current === false) apps.sealed_before += 1
  }
  return { ...apps, passkeys, is_complete: true }
}

/** Users who cannot sign in where there are no passwords. */
export interface WithoutPasskey {
  /** Of the users that were read. */
  count: number
  /** Whether all users were read. */
  is_complete: boolean
}

/**
 * Counts the enabled users who have no passkey for this RP ID. Null when there are more factors than `max`.
 * @param max How many factors, and how many users, are read at most.
 */
export async function countWithoutPasskey(
  { users, factors }: { users: UserStore; factors: FactorStore },
  { rp_id, max }: { rp_id: string; max: number },
): Promise<WithoutPasskey | null> {
  const with_passkey = new Set<string>()
  let read = 0
  for await (const factor of allFactors(factors)) {
    if (read === max) return null
    read += 1
    if (passkeyDataOf(factor)?.rp_id === rp_id) with_passkey.add(factor.sub)
  }
  let count = 0
  read = 0
  for await (const { sub, disabled_at } of allUsers(users)) {
    if (read === max) return { count, is_complete: false }
    read += 1
    if (disabled_at === null && !with_passkey.has(sub)) count += 1
  }
  return { count, is_complete: true }
}

async function* allUsers(store: UserStore): AsyncGenerator<User> {
  let after: string | undefined
  while (true) {
    const page = await store.list({ limit: PAGE, ...(after !== undefined && { after }) })
    yield* page
    if (page.length < PAGE) return
    after = page.at(-1)?.sub
  }
}

async function* allFactors(store: FactorStore): AsyncGenerator<Factor> {
  let after: string | undefined
  while (true) {
    const page = await store.page({ limit: PAGE, ...(after !== undefined && { after }) })
    yield* page
    if (page.length < PAGE) return
    after = page.at(-1)?.factor_id
  }
}
