import {
  type KeyInfo,
  type Management,
  type Provider,
  SealedKeyError,
  type SigningAlgorithm,
} from '@ostiary/core'
import type { HostConfig } from '../config/host-config.js'
import { bareProvider } from '../management/manage.js'
import { realmOf } from '../server/realm-of.js'
import type { HostStorage } from '../storage/host-storage.js'
import { lostSecretAdvice } from '../storage/storage-error.js'
import { type Finding, fault, note, ok } from './finding.js'
import { sealedTexts } from './mails.js'

const DAY_SECONDS = 86_400
/** After this time a key should be rotated. */
const MAX_AGE_DAYS = 180

/**
 * Checks that the signing keys of a realm can be decrypted, that one of each algorithm signs, and its age.
 * @param now Epoch seconds.
 */
export async function checkKeys(
  provider: Provider,
  realm: string,
  { config, now }: { config: HostConfig; now: number },
): Promise<Finding[]> {
  const { keys } = await provider.manage(realm)
  const all = await keys.list()
  if (all.length === 0) return [note('keys', `realm ${realm} has none yet`, 'Its first use creates one.')]
  try {
    await keys.check()
  } catch (error) {
    if (!(error instanceof SealedKeyError)) throw error
    return [
      fault(
        'keys',
        `those of realm ${realm} cannot be decrypted: they were encrypted with another secret than OIDC_SECRET`,
        lostSecretAdvice(error, config),
      ),
    ]
  }
  const { algorithms } = (await realmOf(provider, realm)).settings.keys
  const found = algorithms.map((alg) =>
    checkAlgorithm(all, alg, { realm, now, several: algorithms.length > 1 }),
  )
  const unlisted = [...new Set(all.map(({ alg }) => alg))].filter((alg) => !algorithms.includes(alg))
  return [...found, ...unlisted.map((alg) => unlistedFinding(realm, alg))]
}

interface KeyCheck {
  realm: string
  /** Epoch seconds. */
  now: number
  /** Whether the realm has keys of several algorithms, so that findings name theirs. */
  several: boolean
}

function checkAlgorithm(
  all: readonly KeyInfo[],
  alg: SigningAlgorithm,
  { realm, now, several }: KeyCheck,
): Finding {
  const keys = all.filter((key) => key.alg === alg)
  const named = several ? ` (${alg})` : ''
  if (keys.length === 0)
    return note(
      'keys',
      `realm ${realm} has none for ${alg} yet`,
      'Its first use creates one, which signs at once. APIs that keep the JWKS refuse its tokens for up to an hour: list the algorithm an hour before it signs access tokens.',
    )
  const current = keys.findLast(({ signs_from }) => signs_from <= now)
  if (current === undefined)
    return fault(
      'keys',
      `none of realm ${realm}${named} signs yet`,
      'The clock of this machine is behind the clock of the machine that created them: set it by NTP.',
    )
  const age = Math.floor((now - current.signs_from) / DAY_SECONDS)
  const next = keys.some(({ signs_from }) => signs_from > now)
  const rotate = several ? `Run ostiary keys rotate --alg ${alg}.` : 'Run ostiary keys rotate.'
  return age > MAX_AGE_DAYS && !next
    ? note('keys', `the one of realm ${realm}${named} has signed for ${age} days`, rotate)
    : ok('keys', `of realm ${realm}${named}: ${keys.length}; the current one has signed for ${age} days`)
}

const unlistedFinding = (realm: string, alg: SigningAlgorithm): Finding =>
  note(
    'keys',
    `realm ${realm} has a key for ${alg}, which is not in oidc.keys.algorithms`,
    'It signs nothing. The server deletes it an hour after its last token has expired; keys revoke deletes it at once.',
  )

/**
 * While OIDC_SECRET_PREVIOUS is set: whether keys, authenticator apps or pending mails of a realm still need it.
 * @param stores The open storage.
 * @param place `apps` and `mails`: how many it has encrypted.
 */
export async function checkPreviousSecret(
  { previous_secret, ...config }: HostConfig,
  stores: Pick<HostStorage, 'storage' | 'users'>,
  { realm, apps, mails }: { realm: string; apps: number; mails: number },
): Promise<Finding[]> {
  if (previous_secret === undefined) return []
  const { keys } = await bareProvider(config, stores).manage(realm)
  const has_keys = (await keys.list()).length > 0
  if (!has_keys && apps === 0 && mails === 0) return []
  const needed = [...((await isOpened(keys)) ? [] : ['keys']), ...sealedTexts(apps, mails)]
  return [
    needed.length > 0
      ? note(
          'keys',
          `OIDC_SECRET_PREVIOUS still encrypts ${needed.join(' and ')} of realm ${realm}`,
          'Run ostiary secret rotate when every server has both secrets.',
        )
      : note(
          'keys',
          `no key and no app of realm ${realm} needs OIDC_SECRET_PREVIOUS`,
          'Unset it ten minutes after the last server has the new secret.',
        ),
  ]
}

/** Whether OIDC_SECRET alone decrypts the keys. */
async function isOpened(keys: Management['keys']): Promise<boolean> {
  try {
    await keys.check()
    return true
  } catch (error) {
    if (error instanceof SealedKeyError) return false
    throw error
  }
}
