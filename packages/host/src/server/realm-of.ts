import type { Provider, Realm } from '@ostiary/core'

/** The realm with its settings, and what they mean for requests. */
export async function realmOf(provider: Provider, id: string): Promise<Realm> {
  const location = await provider.locate(new Request(provider.url('oidc.jwks', { realm: id })))
  if (!location) throw new Error(`The realm ${id} has no URL`)
  return location.realm
}
