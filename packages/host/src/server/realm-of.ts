import type { Provider, Realm } from '@ostiary/core'
import { type SignInSettings, signInSettings } from '@ostiary/identity'
import type { HostConfig } from '../config/host-config.js'
import { findRealm } from '../config/realms/find-realm.js'

/** The realm with its settings, and what they mean for requests. @throws Error when there is no such realm. */
export async function realmOf(provider: Provider, id: string): Promise<Realm> {
  const realm = await findRealm(provider, id)
  if (!realm) throw new Error(`There is no realm ${id}`)
  return realm
}

/** The passkeys that work in the realm. Null: none does. */
export async function realmPasskeys(
  { realms }: Pick<HostConfig, 'realms'>,
  provider: Provider,
  id: string,
): Promise<SignInSettings['passkeys']> {
  return signInSettings(await realmOf(provider, id), realms[id]?.identity ?? {}).passkeys
}
