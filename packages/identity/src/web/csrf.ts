/**
 * Protects a form against cross-site request forgery: a random cookie, and a field derived from it for one realm and one
 * request or session. `Origin` cannot be used: under `Referrer-Policy: no-referrer` browsers send `null` from these pages
 * too.
 */

import { randomBytes } from 'node:crypto'
import type { Realm } from '@ostiary/core'
import { pageCookie } from './cookies.js'
import { type AcceptedHashes, constantTimeEqual, type KeyedHash } from './keyed-hash.js'

export interface Csrf {
  /** The value of the form's hidden field, and the cookie to set when the browser has none. */
  issue(request: Request, form: FormBinding): { token: string; set_cookie: string | null }
  valid(request: Request, form: FormBinding, token: string): boolean
}

export interface FormBinding {
  realm: Realm
  /** What the form belongs to: the `return_to` of a sign-in, or the account page's path and the session. */
  bound_to: string
}

const cookie = pageCookie('ostiary_csrf', /^[A-Za-z0-9_-]{43}$/)

export function createCsrf(hashes: AcceptedHashes): Csrf {
  const derive = (hash: KeyedHash, value: string, { realm, bound_to }: FormBinding) =>
    hash(realm.id, value, bound_to)
  return {
    issue(request, form) {
      const present = cookie.read(request, form.realm)
      const value = present ?? randomBytes(32).toString('base64url')
      return {
        token: derive(hashes[0], value, form),
        set_cookie: present === null ? cookie.write(form.realm, value) : null,
      }
    },
    valid(request, form, token) {
      // 'none': the user started the request, not a page. Browsers before 2023 send no header; then only the cookie is checked.
      const site = request.headers.get('sec-fetch-site') ?? 'none'
      const value = cookie.read(request, form.realm)
      return (
        ['same-origin', 'none'].includes(site) &&
        value !== null &&
        hashes.some((hash) => constantTimeEqual(derive(hash, value, form), token))
      )
    },
  }
}
