/** Cookies of these pages. One for all realms of an origin, or a neighbouring subdomain could plant one. */

import type { Realm } from '@ostiary/core'

export interface PageCookie {
  /** Null when the browser sends none, or one that cannot be ours. */
  read(request: Request, realm: Realm): string | null
  /** @param max_age Seconds; absent: until the browser closes. 0 removes it. */
  write(realm: Realm, value: string, max_age?: number): string
}

const isSecure = (realm: Realm) => realm.issuer.startsWith('https:')

/** @param shape What a value looks like. */
export function pageCookie(name: string, shape: RegExp): PageCookie {
  const nameIn = (realm: Realm) => (isSecure(realm) ? `__Host-${name}` : name)
  return {
    read(request, realm) {
      const prefix = `${nameIn(realm)}=`
      for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
        const value = pair.trim()
        if (value.startsWith(prefix) && shape.test(value.slice(prefix.length)))
          return value.slice(prefix.length)
      }
      return null
    },
    write(realm, value, max_age) {
      const age = max_age === undefined ? '' : `; Max-Age=${max_age}`
      // Lax, not Strict: people arrive here by a redirect from the client's site.
      const rules = `HttpOnly; SameSite=Lax${isSecure(realm) ? '; Secure' : ''}`
      return `${nameIn(realm)}=${value}; Path=/${age}; ${rules}`
    },
  }
}
