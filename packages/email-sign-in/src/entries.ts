/** Which users may have confirmed an address. */

import type { UserStore } from '@ostiary/identity'

/** The addresses of the users of a realm. An entry whose user does not have the address means nothing. */
export interface AddressEntries {
  /** At most three. */
  find(address_key: string): Promise<{ sub: string }[]>
  add(address_key: string, sub: string): Promise<unknown>
  remove(address_key: string, sub: string): Promise<unknown>
  /** Absent where a user and an entry may lie in different databases. */
  transaction?<T>(run: (users: UserStore, entries: AddressEntries) => Promise<T>): Promise<T>
}

const MAX_FOUND = 3

/** Of this process. */
export function memoryEntries(): (realm: string) => AddressEntries {
  const realms = new Map<string, Map<string, Set<string>>>()
  return (realm) => {
    const subs = realms.get(realm) ?? new Map<string, Set<string>>()
    realms.set(realm, subs)
    return {
      find: async (key) => [...(subs.get(key) ?? [])].slice(0, MAX_FOUND).map((sub) => ({ sub })),
      async add(key, sub) {
        subs.set(key, (subs.get(key) ?? new Set()).add(sub))
      },
      async remove(key, sub) {
        const left = subs.get(key)
        left?.delete(sub)
        if (left?.size === 0) subs.delete(key)
      },
    }
  }
}
