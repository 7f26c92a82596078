/** Removes accounts of a user at other providers. */

import {
  type Factor,
  type Link,
  type LinkStore,
  passkeysFor,
  type SignInSettings,
  type User,
} from '@ostiary/identity'

/** A user, and how the user signs in. */
export interface LinkedUser {
  user: User
  links: readonly Link[]
  factors: readonly Factor[]
  settings: Pick<SignInSettings, 'password' | 'passkeys'>
}

/** The links at an upstream, or all with null. `last_way_in`: without them the user could not sign in. */
export function planLinkRemoval(
  { user, links, factors, settings }: LinkedUser,
  upstream: string | null,
): Link[] | 'last_way_in' | 'no_link' {
  const found = links.filter((link) => upstream === null || link.upstream === upstream)
  if (found.length === 0) return 'no_link'
  const has_password = user.password_hash !== null && settings.password
  if (has_password || links.length > found.length) return found
  return passkeysFor(settings.passkeys, factors).length > 0 ? found : 'last_way_in'
}

/** False when the user was changed meanwhile. @param now Epoch seconds. */
export async function removeLinks(
  store: LinkStore,
  { credential_version, found }: { credential_version: number; found: readonly Link[] },
  now: number,
): Promise<boolean> {
  let version = credential_version
  for (const link of found) {
    if (!(await store.remove(link, { credential_version: version, now }))) return false
    version += 1
  }
  return true
}
