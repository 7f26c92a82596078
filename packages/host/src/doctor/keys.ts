import { type Provider, SealedKeyError } from '@ostiary/core'
import type { HostConfig } from '../config/host-config.js'
import { bareProvider } from '../management/manage.js'
import type { HostStorage } from '../storage/host-storage.js'
import { type Finding, fault, note, ok } from './finding.js'

const DAY_SECONDS = 86_400
/** After this time a key should be rotated. */
const MAX_AGE_DAYS = 180

/**
 * Checks that the signing keys of a realm can be opened, that one signs, and its age.
 * @param now Epoch seconds.
 */
export async function checkKeys(provider: Provider, realm: string, now: number): Promise<Finding> {
  const { keys } = await provider.manage(realm)
  const all = await keys.list()
  // `ready` would create the first key, and doctor changes nothing.
  if (all.length === 0) return note('keys', `realm ${realm} has none yet`, 'Its first use creates one.')
  try {
    await keys.ready()
  } catch (error) {
    if (!(error instanceof SealedKeyError)) throw error
    return fault(
      'keys',
      `those of realm ${realm} cannot be opened: OIDC_SECRET is not the secret that sealed them`,
      'Set OIDC_SECRET to that secret, or OIDC_SECRET_PREVIOUS while you change it. If it is lost, the keys are lost too: empty the table oidc_signing_keys, which ends all tokens.',
    )
  }
  const current = all.findLast(({ signs_from }) => signs_from <= now)
  if (current === undefined)
    return fault(
      'keys',
      `none of realm ${realm} signs yet`,
      'The clock of this machine is behind the clock of the machine that created them: set it by NTP.',
    )
  const age = Math.floor((now - current.signs_from) / DAY_SECONDS)
  const next = all.some(({ signs_from }) => signs_from > now)
  if (age > MAX_AGE_DAYS && !next)
    return note('keys', `the one of realm ${realm} has signed for ${age} days`, 'Run ostiary keys rotate.')
  return ok('keys', `of realm ${realm}: ${all.length}; the current one has signed for ${age} days`)
}

/**
 * While OIDC_SECRET_PREVIOUS is set: whether keys of a realm still need it.
 * @param stores The open storage.
 */
export async function checkPreviousSecret(
  { previous_secret, ...config }: HostConfig,
  stores: Pick<HostStorage, 'storage' | 'users'>,
  realm: string,
): Promise<Finding[]> {
  if (previous_secret === undefined) return []
  const { keys } = await bareProvider(config, stores).manage(realm)
  if ((await keys.list()).length === 0) return []
  try {
    await keys.ready()
  } catch (error) {
    if (!(error instanceof SealedKeyError)) throw error
    return [
      note(
        'keys',
        `OIDC_SECRET_PREVIOUS still encrypts keys of realm ${realm}`,
        'Run ostiary secret rotate when every server has both secrets.',
      ),
    ]
  }
  return [
    note(
      'keys',
      `no key of realm ${realm} needs OIDC_SECRET_PREVIOUS`,
      'Unset it ten minutes after the last server has the new secret.',
    ),
  ]
}
