import type { Provider, Realm } from '@ostiary/core'

/** The realm with its settings, and what they mean for requests. Null: there is no such realm. */
export async function findRealm(provider: Provider, id: string): Promise<Realm | null> {
  const located = await provider.locate({ url: provider.url('oidc.jwks', { realm: id }) })
  // Without realms in the path, every URL belongs to the realm default.
  return located?.realm.id === id ? located.realm : null
}
