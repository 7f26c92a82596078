/** A recovery between its link and its end. As a pending sign-in, it is a sealed cookie and no stored record. */

import { randomBytes } from 'node:crypto'
import type { Realm } from '@ostiary/core'
import type { Ticket } from '../users/ticket-store.js'
import { pageCookie } from '../web/cookies.js'
import type { Sealer } from '../web/sealed.js'
import type { SignInProof } from './proofs.js'

/** In seconds. */
const RECOVERY_STATE_SECONDS = 600

export interface RecoveryState {
  /** Claimed at the end, so that a copied cookie finishes nothing twice. */
  id: string
  sub: string
  /** The link was an invitation. */
  invited: boolean
  /** The user waited for it, without a recovery code: then the sign-in at its end has level 1. */
  waited: boolean
  /** Of the user: a change that this recovery has not made ends it. */
  credential_version: number
  /** The link, and the factor that was added. */
  proofs: [SignInProof, ...SignInProof[]]
  /** The ids of the factors to remove; null until the user has decided. */
  remove: string[] | null
  /** Whether the user has set a password. */
  password: boolean
  /** Whether everything is stored, and only the sign-in is left. */
  done: boolean
  /** Epoch seconds. */
  expires_at: number
}

export interface RecoveryStates {
  begin(ticket: Pick<Ticket, 'sub' | 'purpose' | 'credential_version'>, now: number): RecoveryState
  /** Null without a cookie, and after its time. */
  read(request: Request, realm: Realm, now: number): RecoveryState | null
  /** The cookie to set. */
  write(state: RecoveryState, realm: Realm, now: number): string
  /** The cookie that ends it. */
  end(realm: Realm): string
}

const cookie = pageCookie('ostiary_recovery', /^[\w-]+$/)

export const createRecoveryStates = (sealer: Sealer): RecoveryStates => ({
  begin: ({ sub, purpose, credential_version }, now) => ({
    id: randomBytes(16).toString('base64url'),
    sub,
    invited: purpose === 'invite',
    waited: purpose === 'wait',
    credential_version,
    proofs: [{ kind: 'recovery', at: now }],
    remove: null,
    password: false,
    done: false,
    expires_at: now + RECOVERY_STATE_SECONDS,
  }),
  read(request, realm, now) {
    const text = cookie.read(request, realm)
    const state = text === null ? null : (sealer.open(text, [realm.id])?.value as RecoveryState | undefined)
    return state && now < state.expires_at ? state : null
  },
  write: (state, realm, now) =>
    cookie.write(realm, sealer.seal(state, [realm.id]), Math.max(1, state.expires_at - now)),
  end: (realm) => cookie.write(realm, '', 0),
})
