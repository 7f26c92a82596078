import type { Provider, Realm } from '@ostiary/core'
import { type SignInSettings, signInSettings } from '@ostiary/identity'
import type { HostConfig } from '../config/host-config.js'

/** The realm with its settings, and what they mean for requests. */
export async function realmOf(provider: Provider, id: string): Promise<Realm> {
  const location = await provider.locate(new Request(provider.url('oidc.jwks', { realm: id })))
  if (!location) throw new Error(`The realm ${id} has no URL`)
  return location.realm
}

/** The passkeys that work in the realm. Null: none does. */
export async function realmPasskeys(
  { realms }: Pick<HostConfig, 'realms'>,
  provider: Provider,
  id: string,
): Promise<SignInSettings['passkeys']> {
  return signInSettings(await realmOf(provider, id), realms[id]?.identity ?? {}).passkeys
}
