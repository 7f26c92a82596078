/**
 * A sign-in between its first and its last step. It is a sealed cookie and no stored record: so what a stranger begins and never ends
 * takes no storage.
 */

import { randomBytes } from 'node:crypto'
import { type Realm, sha256 } from '@ostiary/core'
import { pageCookie } from '../web/cookies.js'
import type { Sealer } from '../web/sealed.js'
import type { SignInProof } from './proofs.js'

/** In seconds. */
const PENDING_SECONDS = 600

export interface PendingSignIn {
  /** Claimed at the end, so that a copied cookie finishes nothing twice. */
  id: string
  sub: string
  /** Of the user, when the first proof was given: a change of the account's credentials ends the sign-in. */
  credential_version: number
  proofs: SignInProof[]
  /** Epoch seconds. */
  expires_at: number
}

/** What the cookie holds. */
interface Sealed extends PendingSignIn {
  /** The SHA-256 of the `return_to`: a sign-in for one request does not continue another. */
  return_to_hash: string
}

/** The request that a sign-in belongs to. */
interface PendingFor {
  request: Request
  realm: Realm
  return_to: string
  now: number
}

export interface PendingSignIns {
  begin(user: Pick<PendingSignIn, 'sub' | 'credential_version'>, proof: SignInProof): PendingSignIn
  /** Null without a cookie, after its time, and for another `return_to`. */
  read(place: PendingFor): PendingSignIn | null
  /** The cookie to set. */
  write(pending: PendingSignIn, place: Pick<PendingFor, 'realm' | 'return_to' | 'now'>): string
  /** The cookie that ends it. */
  end(realm: Realm): string
}

const cookie = pageCookie('ostiary_pending', /^[\w-]+$/)

export function createPendingSignIns(sealer: Sealer): PendingSignIns {
  return {
    begin: ({ sub, credential_version }, proof) => ({
      id: randomBytes(16).toString('base64url'),
      sub,
      credential_version,
      proofs: [proof],
      expires_at: proof.at + PENDING_SECONDS,
    }),
    read({ request, realm, return_to, now }) {
      const text = cookie.read(request, realm)
      const opened = text === null ? null : sealer.open(text, [realm.id])
      if (opened === null) return null
      const { return_to_hash, ...pending } = opened.value as Sealed
      return return_to_hash === sha256(return_to) && now < pending.expires_at ? pending : null
    },
    write(pending, { realm, return_to, now }) {
      const sealed: Sealed = { ...pending, return_to_hash: sha256(return_to) }
      return cookie.write(realm, sealer.seal(sealed, [realm.id]), pending.expires_at - now)
    },
    end: (realm) => cookie.write(realm, '', 0),
  }
}
