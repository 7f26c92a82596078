/** Stores of a realm that all of its requests share: making them takes longer than most of what a request does with them. */

/** Realms whose stores are kept. */
const MAX_KEPT_REALMS = 1000

/** The same function, which makes what belongs to a realm once. */
export function perRealm<Store>(make: (realm: string) => Store): (realm: string) => Store {
  const made = new Map<string, Store>()
  return (realm) => {
    const known = made.get(realm)
    if (known !== undefined) return known
    if (made.size >= MAX_KEPT_REALMS) made.clear()
    const store = make(realm)
    made.set(realm, store)
    return store
  }
}
