/** What the account page tells the browser about the passkeys of the account (WebAuthn Level 3 §5.1.10). */

import { acceptedCredentials, type PasskeyData } from '@ostiary/webauthn'
import type { PasskeySignals } from '../../sign-in/context.js'
import type { Factor } from '../../users/factor-store.js'
import type { User } from '../../users/user-store.js'
import type { Sealer } from '../../web/sealed.js'
import { passkeyDataOf } from './passkey.js'

const passkeysOf = (factors: readonly Factor[]): PasskeyData[] =>
  factors.flatMap((factor) => passkeyDataOf(factor) ?? [])

/**
 * The text is sealed for the user: with the user handle of another account, the list would lack its passkeys, and the browser would delete
 * them.
 */
export const createPasskeySignals = (sealer: Sealer): PasskeySignals => ({
  removed(realm, factor) {
    const data = passkeyDataOf(factor)
    if (data === null) return null
    const { rp_id, user_handle } = data
    return sealer.seal({ rp_id, user_handle }, [realm.id, factor.sub])
  },
  accepted(realm, { user, factors }, text) {
    const opened = sealer.open(text, [realm.id, user.sub])
    if (opened === null) return null
    const of = opened.value as Pick<PasskeyData, 'rp_id' | 'user_handle'>
    const options = JSON.stringify(acceptedCredentials(of, passkeysOf(factors)))
    return { method: 'signalAllAcceptedCredentials', options }
  },
  details({ passkeys }, { user, factors }) {
    const own = passkeysOf(factors).find(({ rp_id }) => rp_id === passkeys?.rp_id)
    if (own === undefined) return null
    const names = { name: user.username, displayName: displayNameOf(user) }
    const options = JSON.stringify({ rpId: own.rp_id, userId: own.user_handle, ...names })
    return { method: 'signalCurrentUserDetails', options }
  },
})

export const displayNameOf = ({ username, claims: { name } }: User): string =>
  typeof name === 'string' && name.trim() !== '' ? name : username
