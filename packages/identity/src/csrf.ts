/**
 * Protects the sign-in form against a foreign page that posts it: a cookie that only this browser has, and a field
 * derived from it for one realm and one request. `Origin` is no help: under `Referrer-Policy: no-referrer` browsers
 * send `null` even from our own page.
 */

import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Realm } from '@ostiary/core'
import type { Sign } from './secrets.js'

export interface Csrf {
  /** For a page with the form: the value of the hidden field, and the cookie to set when the browser has none. */
  issue(request: Request, form: BoundTo): { token: string; set_cookie: string | null }
  valid(request: Request, form: BoundTo, token: string): boolean
}

interface BoundTo {
  realm: Realm
  return_to: string
}

export function createCsrf(sign: Sign): Csrf {
  const derive = (cookie: string, { realm, return_to }: BoundTo) => sign(realm.id, cookie, return_to)
  return {
    issue(request, form) {
      const present = readCookie(request, form.realm)
      const value = present ?? randomBytes(32).toString('base64url')
      return {
        token: derive(value, form),
        set_cookie: present === null ? writeCookie(form.realm, value) : null,
      }
    },
    valid(request, form, token) {
      // 'none' is a request that no page started. Absent in browsers older than 2023: the cookie decides.
      const site = request.headers.get('sec-fetch-site') ?? 'none'
      const cookie = readCookie(request, form.realm)
      return ['same-origin', 'none'].includes(site) && cookie !== null && equal(derive(cookie, form), token)
    },
  }
}

const isSecure = (realm: Realm) => realm.issuer.startsWith('https:')

/** One cookie for all realms of an origin, or a neighbouring subdomain could plant one; the field is the realm's. */
const cookieName = (realm: Realm) => (isSecure(realm) ? '__Host-ostiary_csrf' : 'ostiary_csrf')

/** Lax, not Strict: people arrive here by a redirect from the client's site. */
const writeCookie = (realm: Realm, value: string) =>
  `${cookieName(realm)}=${value}; Path=/; HttpOnly; SameSite=Lax${isSecure(realm) ? '; Secure' : ''}`

function readCookie(request: Request, realm: Realm): string | null {
  const prefix = `${cookieName(realm)}=`
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const value = pair.trim()
    if (value.startsWith(prefix) && /^[A-Za-z0-9_-]{43}$/.test(value.slice(prefix.length)))
      return value.slice(prefix.length)
  }
  return null
}

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
