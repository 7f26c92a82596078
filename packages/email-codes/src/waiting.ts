/**
 * A code that waits to be entered. The browser that has asked for it keeps the record, sealed: what a stranger begins and never ends
 * takes no storage.
 */

import { hash, randomBytes } from 'node:crypto'
import type { User, Visit } from '@ostiary/identity'

/** In seconds. */
export const CODE_SECONDS = 600

/** Its text has the same length for every account, and for none. */
export interface WaitingCode {
  /** Its tries are counted, and its use is claimed, with it. */
  id: string
  /** As it was typed. */
  username: string
  /** The SHA-256 of the `return_to`: a code for one sign-in does not continue another. */
  return_to_hash: string
  /** With the id. That of no code, where none was mailed. */
  code_hash: string
  /** The account as it was then. */
  account_hash: string
  /** Epoch seconds. */
  expires_at: number
}

interface Asked {
  username: string
  return_to: string
  /** Null: there is no such account. */
  user: User | null
  code: string
}

export function newWaiting({ username, return_to, user, code }: Asked, now: number): WaitingCode {
  const id = randomText()
  return {
    id,
    username,
    return_to_hash: sha256(return_to),
    code_hash: codeHash(id, code),
    account_hash: accountHash(id, user),
    expires_at: now + CODE_SECONDS,
  }
}

/** Looks the same, and no code fits it. */
export const withoutCode = (waiting: WaitingCode): WaitingCode => ({
  ...waiting,
  code_hash: codeHash(waiting.id, randomText()),
})

/** As base64url. */
const sha256 = (text: string): string => hash('sha256', text, 'base64url')

/** 128 random bits. */
const randomText = (): string => randomBytes(16).toString('base64url')

const codeHash = (id: string, code: string): string => sha256(`${id} ${code}`)

export const isCode = ({ id, code_hash }: WaitingCode, code: string): boolean =>
  codeHash(id, code) === code_hash

/** A change of the password, of a factor or of the address ends the code; and another account of the same name is another one. */
function accountHash(id: string, user: User | null): string {
  const { email, email_verified } = user?.claims ?? {}
  return sha256(JSON.stringify([id, user?.sub, user?.credential_version, email, email_verified]))
}

export const isUnchanged = ({ id, account_hash }: WaitingCode, user: User): boolean =>
  accountHash(id, user) === account_hash

const cookieOf = ({ cookie }: Visit) => cookie('ostiary_email_code', /^[\w-]+$/)

/** A browser keeps one: a newer code takes the place of an older one. Its age does not tell how long the request took. */
export const keep = (c: Visit, waiting: WaitingCode): string =>
  cookieOf(c).write(c.seal(waiting), CODE_SECONDS)

/** The cookie that ends it. */
export const forget = (c: Visit): string => cookieOf(c).write('', 0)

/** Null without one, after its time, and for another sign-in. */
export function waitingIn(c: Visit, return_to: string): WaitingCode | null {
  const text = cookieOf(c).read()
  const waiting = text === null ? null : (c.open(text) as WaitingCode | null)
  const is_good = waiting?.return_to_hash === sha256(return_to) && c.now() < waiting.expires_at
  return is_good ? waiting : null
}
