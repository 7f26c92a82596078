/**
 * The user handle of WebAuthn (Level 3 §5.4.3): what an authenticator stores beside the key and returns at a sign-in without a name. It
 * says nothing about the user, and ends with the tag of the `sub`, which says where the user's records are.
 */

import { createHash } from 'node:crypto'
import { bytesOfBase64url } from '@ostiary/webauthn'

const RANDOM_BYTES = 32
const TAG = /^[A-Za-z0-9_-]{2}$/
const USER_HANDLE_BYTES = RANDOM_BYTES + 2

/** The tag at the end of a user handle. Null for a text that is no user handle. */
export function tagOfUserHandle(user_handle: string): string | null {
  const bytes = bytesOfBase64url(user_handle, USER_HANDLE_BYTES)
  if (bytes === null) return null
  const tag = bytes.subarray(RANDOM_BYTES).toString('latin1')
  return TAG.test(tag) ? tag : null
}

/** The user handle of a registration with this challenge. It follows from the challenge, so that the form need not send it. */
export const userHandleOf = (challenge: string, sub_tag: string): string =>
  Buffer.concat([createHash('sha256').update(challenge).digest(), Buffer.from(sub_tag, 'ascii')]).toString(
    'base64url',
  )
