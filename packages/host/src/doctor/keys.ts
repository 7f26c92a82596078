import { type Provider, SealedKeyError } from '@ostiary/core'
import { type Check, fault, note, ok } from './check.js'

const DAY = 86_400
/** Days. A key that signs for longer should make room for the next. */
const OLD = 180

/** @param now Epoch seconds. */
export async function checkKeys(provider: Provider, realm: string, now: number): Promise<Check> {
  const { keys } = await provider.manage(realm)
  const all = await keys.list()
  // Nothing is made here: `ready` would make the first one.
  if (all.length === 0)
    return note('keys', `realm ${realm} has none yet`, 'The first start makes one by itself.')
  try {
    await keys.ready()
  } catch (error) {
    if (!(error instanceof SealedKeyError)) throw error
    return fault(
      'keys',
      `those of realm ${realm} do not open: OIDC_SECRET is not the secret that sealed them`,
      'Bring the right secret back. If it is lost, so are the keys: empty the table oidc_signing_keys, and all tokens end.',
    )
  }
  const current = all.findLast(({ signs_from }) => signs_from <= now)
  if (current === undefined)
    return fault(
      'keys',
      `none of realm ${realm} signs yet`,
      'The clock is behind the one that made them: set it right.',
    )
  const age = Math.floor((now - current.signs_from) / DAY)
  const next = all.some(({ signs_from }) => signs_from > now)
  if (age > OLD && !next)
    return note(
      'keys',
      `that of realm ${realm} has signed for ${age} days`,
      'Rotate it: ostiary keys rotate.',
    )
  return ok('keys', `of realm ${realm}: ${all.length}, the one that signs since ${age} days`)
}
