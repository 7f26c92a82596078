/**
 * Protects a form against a foreign page that posts it: a cookie that only this browser has, and a field
 * derived from it for one realm and one request or session. `Origin` is no help: under `Referrer-Policy: no-referrer` browsers
 * send `null` even from our own page.
 */

import { randomBytes } from 'node:crypto'
import type { Realm } from '@ostiary/core'
import { pageCookie } from './cookies.js'
import { constantTimeEqual, type KeyedHash } from './keyed-hash.js'

export interface Csrf {
  /** For a page with the form: the value of the hidden field, and the cookie to set when the browser has none. */
  issue(request: Request, form: FormBinding): { token: string; set_cookie: string | null }
  valid(request: Request, form: FormBinding, token: string): boolean
}

export interface FormBinding {
  realm: Realm
  /** The request that waits for the sign-in; on another page, what else the form belongs to. */
  return_to: string
}

const cookie = pageCookie('ostiary_csrf', /^[A-Za-z0-9_-]{43}$/)

export function createCsrf(hash: KeyedHash): Csrf {
  const derive = (value: string, { realm, return_to }: FormBinding) => hash(realm.id, value, return_to)
  return {
    issue(request, form) {
      const present = cookie.read(request, form.realm)
      const value = present ?? randomBytes(32).toString('base64url')
      return {
        token: derive(value, form),
        set_cookie: present === null ? cookie.write(form.realm, value) : null,
      }
    },
    valid(request, form, token) {
      // 'none' is a request that no page started. Absent in browsers older than 2023: the cookie decides.
      const site = request.headers.get('sec-fetch-site') ?? 'none'
      const value = cookie.read(request, form.realm)
      return (
        ['same-origin', 'none'].includes(site) &&
        value !== null &&
        constantTimeEqual(derive(value, form), token)
      )
    },
  }
}
