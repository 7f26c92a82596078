/**
 * Challenges without stored rows: WebAuthn Level 3 §13.4.3. The form carries a ticket, from which the challenge follows. Only the claim of a
 * challenge that has been answered is stored.
 */

import { createHash, randomBytes } from 'node:crypto'
import { type AcceptedHashes, constantTimeEqual, type KeyedHash } from '../../web/keyed-hash.js'

/** How long a challenge is good, in seconds. */
export const CHALLENGE_SECONDS = 300
/** How far the clock of the server that made the ticket may be ahead, in seconds. */
const CLOCK_LEEWAY = 5

const NONCE_BYTES = 16
const TIME_BYTES = 5
/** The characters of nonce and time: a multiple of 3 bytes, so that each text is one sequence of bytes. */
const HEAD_LENGTH = ((NONCE_BYTES + TIME_BYTES) * 4) / 3
const CHECK_LENGTH = 22
const TICKET = /^[A-Za-z0-9_-]{50}$/

/** What a challenge is made for. It is not good for another. */
export interface ChallengeBinding {
  /** The id of the realm. */
  realm: string
  /** The value of the browser's CSRF cookie. */
  browser: string
  /** What the form belongs to: a sign-in, or the session and the act of the account page. */
  bound_to: string
}

/** A challenge whose ticket came back in time, from the same browser. */
export interface IssuedChallenge {
  /** 32 bytes, base64url. */
  challenge: string
  /** What the caller claims in the store of replays, so that the challenge is used once: SHA-256, base64url. */
  id: string
  /** How long the claim must stay, in epoch seconds: longer than any server accepts the ticket. */
  expires_at: number
}

export interface Challenges {
  /** @param now Epoch seconds. */
  issue(binding: ChallengeBinding, now: number): { challenge: string; ticket: string }
  /** Null for a ticket that is old, altered or made for another binding. */
  verify(ticket: string, binding: ChallengeBinding, now: number): IssuedChallenge | null
}

/** @param hashes Of one use, for challenges alone. */
export function createChallenges(hashes: AcceptedHashes): Challenges {
  return {
    issue(binding, now) {
      const time = Buffer.alloc(TIME_BYTES)
      time.writeUIntBE(now, 0, TIME_BYTES)
      const head = Buffer.concat([randomBytes(NONCE_BYTES), time]).toString('base64url')
      const ticket = head + checkOf(hashes[0], binding, head)
      return { ticket, challenge: challengeOf(hashes[0], binding, head) }
    },
    verify(ticket, binding, now) {
      if (!TICKET.test(ticket)) return null
      const head = ticket.slice(0, HEAD_LENGTH)
      const check = ticket.slice(HEAD_LENGTH)
      const hash = hashes.find((each) => constantTimeEqual(checkOf(each, binding, head), check))
      const issued_at = Buffer.from(head, 'base64url').readUIntBE(NONCE_BYTES, TIME_BYTES)
      const in_time = issued_at <= now + CLOCK_LEEWAY && now <= issued_at + CHALLENGE_SECONDS
      if (hash === undefined || !in_time) return null
      const challenge = challengeOf(hash, binding, head)
      const id = createHash('sha256').update(challenge).digest('base64url')
      return { challenge, id, expires_at: issued_at + 2 * CHALLENGE_SECONDS }
    },
  }
}

/** 132 bits, which show that the ticket was made here for this binding, and with which secret. */
const checkOf = (hash: KeyedHash, binding: ChallengeBinding, head: string): string =>
  derived('ticket', hash, { binding, head }).slice(0, CHECK_LENGTH)

const challengeOf = (hash: KeyedHash, binding: ChallengeBinding, head: string): string =>
  derived('challenge', hash, { binding, head })

const derived = (
  purpose: 'ticket' | 'challenge',
  hash: KeyedHash,
  { binding, head }: { binding: ChallengeBinding; head: string },
): string => hash(purpose, binding.realm, binding.browser, binding.bound_to, head)
