/** Access tokens of a sign-in, by its refresh token. */

import type { Configuration, DPoPHandle } from 'openid-client'
import { LoginError } from '../login-error.js'
import { discoverIssuer, load, proofs } from '../sign-in/discover.js'
import { isOver, loginError } from '../sign-in/failure.js'
import type { CredentialStore, SignIn } from '../store/credentials.js'

/** An access token, and what a request with it needs. */
export interface Access {
  config: Configuration
  dpop: { DPoP?: DPoPHandle }
  access_token: string
  /** Milliseconds since the epoch; the token is not used later. */
  expires_at: number
}

/** The access token of now. With `refused`, another one than that. */
export type AccessTokens = (refused?: Access) => Promise<Access>

/** Seconds of the lifetime of a token in which it is not used any more: the request takes some time. */
const MARGIN = 30

/**
 * Refresh tokens rotate, so one command after the other refreshes: the token is read again when no other command does, and the new one
 * is stored before the next one reads it.
 * @throws LoginError
 */
export async function refreshed(server: string, store: CredentialStore): Promise<Access> {
  const sign_in = await requireSignIn(server, store)
  const config = await discoverIssuer(sign_in.issuer).catch((error) => {
    throw loginError(`${sign_in.issuer} is not an OpenID provider`, error)
  })
  const { refreshTokenGrant } = await load()
  return store.alone(server, async () => {
    const current = await requireSignIn(server, store)
    const dpop = await proofs(config, current.dpop_key)
    const tokens = await refreshTokenGrant(config, current.refresh_token, undefined, dpop).catch((error) => {
      throw isOver(error)
        ? ended(server, error)
        : loginError(`The sign-in to ${server} cannot be used`, error)
    })
    const { refresh_token = current.refresh_token, access_token, expires_in = 0 } = tokens
    await store.put(server, { ...current, refresh_token })
    const seconds = Math.max(0, expires_in - MARGIN)
    return { config, dpop, access_token, expires_at: Date.now() + seconds * 1000 }
  })
}

/** @throws LoginError */
export async function requireSignIn(server: string, store: CredentialStore): Promise<SignIn> {
  const sign_in = (await store.all()).get(server)
  if (sign_in !== undefined) return sign_in
  throw new LoginError(`You are not signed in to ${server}: run ostiary login ${server}`)
}

const ended = (server: string, cause: unknown): LoginError =>
  new LoginError(
    `The sign-in to ${server} has ended, as it was revoked, signed out in the browser, or too old: run ostiary login ${server}`,
    cause,
  )
