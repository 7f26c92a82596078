/** Links in memory, for tests and to try it out: they are lost when the process ends. */

import type { ExpectedVersion, Link, LinkStore, Links, User, UserStore, Users } from '@ostiary/identity'

/**
 * The links of the users in this process.
 * @param users In memory too, e.g. `memoryUsers()`.
 */
export function memoryLinks(users: Users): Links {
  const stores = new Map<string, LinkStore>()
  return (realm) => {
    const store = stores.get(realm) ?? linkStore(users(realm))
    stores.set(realm, store)
    return store
  }
}

type Key = Pick<Link, 'issuer' | 'subject'>

const keyOf = ({ issuer, subject }: Key): string => JSON.stringify([issuer, subject])

function linkStore(users: UserStore): LinkStore {
  const links = new Map<string, Link>()
  /** A deleted user has no links. */
  async function stored(key: Key): Promise<Link | null> {
    const link = links.get(keyOf(key))
    if (link === undefined) return null
    if ((await users.find(link.sub)) !== null) return link
    if (links.get(keyOf(key)) === link) links.delete(keyOf(key))
    return null
  }
  return {
    async find(issuer, subject) {
      const link = await stored({ issuer, subject })
      return link && { ...link }
    },
    async list(sub) {
      const own = [...links.values()].filter((link) => link.sub === sub)
      const found = await Promise.all(own.map(stored))
      return found
        .flatMap((link) => (link === null ? [] : [{ ...link }]))
        .sort((a, b) => a.linked_at - b.linked_at)
    },
    async add(link, expected) {
      if ((await stored(link)) !== null || links.has(keyOf(link))) return false
      links.set(keyOf(link), { ...link })
      if (await raiseVersion(users, link.sub, expected)) return true
      links.delete(keyOf(link))
      return false
    },
    async remove(link, expected) {
      const own = links.get(keyOf(link))
      if (own?.sub !== link.sub || !(await raiseVersion(users, link.sub, expected))) return false
      links.delete(keyOf(link))
      return true
    },
    async use(link, last_used_at) {
      const own = links.get(keyOf(link))
      if (own?.sub === link.sub) own.last_used_at = last_used_at
    },
  }
}

/** A change of the user that leaves the version is no obstacle. */
async function raiseVersion(users: UserStore, sub: string, expected: ExpectedVersion): Promise<boolean> {
  let user: User | null = await users.find(sub)
  while (user !== null && user.credential_version === expected.credential_version) {
    const { credential_version, updated_at } = user
    const changed = {
      ...user,
      credential_version: credential_version + 1,
      updated_at: Math.max(expected.now, updated_at + 1),
    }
    if (await users.update(changed, updated_at)) return true
    user = await users.find(sub)
  }
  return false
}
