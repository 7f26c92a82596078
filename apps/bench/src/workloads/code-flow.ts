/** Authorization code flow with PKCE, and what follows it: refresh and UserInfo. */

import { createHash, randomBytes } from 'node:crypto'
import type { Connection } from '../load/connection.js'
import { CALLBACK, SCOPE, type Target, WEB, WEB_REFRESH } from '../target.js'
import { resourceOf } from './machine.js'
import { addressOf, type Person, personAt, signIn } from './person.js'
import {
  ES256_TOKENS,
  isAccessToken,
  isJwt,
  type Job,
  parsed,
  pathOf,
  RS256_TOKENS,
  type TokenKind,
  tokenHeaders,
  type Workload,
  WrongAnswer,
} from './workload.js'

interface Wish {
  client_id: string
  scope: string
  resource?: string
}

interface Tokens {
  access_token?: unknown
  id_token?: unknown
  refresh_token?: unknown
}

interface Flow {
  connection: Connection
  person: Person
  target: Target
  /** Of the token request. */
  headers: Record<string, string>
}

/** Authorize, the redirect with the code, the token request: two requests with a session, as a browser and its client. */
async function codeFlow({ connection, person, target, headers }: Flow, wish: Wish): Promise<Tokens> {
  const verifier = randomBytes(32).toString('base64url')
  const answer = await person.visit(authorizePath(target, wish, verifier))
  const location = answer.header('location') ?? ''
  const code = location.startsWith(CALLBACK) ? new URL(location).searchParams.get('code') : null
  if (code === null) throw new WrongAnswer('authorize', answer)
  const { client_id, resource } = wish
  const form = {
    grant_type: 'authorization_code',
    client_id,
    code,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
    ...(resource !== undefined && { resource }),
  }
  const token = await connection.form(pathOf(target, 'token'), form, headers)
  if (token.status !== 200) throw new WrongAnswer('token', token)
  return parsed('token', token)
}

function authorizePath(target: Target, wish: Wish, verifier: string): string {
  const query = new URLSearchParams({
    response_type: 'code',
    redirect_uri: CALLBACK,
    state: 'xyz',
    ...wish,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return `${pathOf(target, 'authorize')}?${query}`
}

async function signedIn(connection: Connection, worker: number, { job, wish }: { job: Job; wish: Wish }) {
  const person = personAt(connection, addressOf(job.run * 256 + worker))
  const authorize = authorizePath(job.target, wish, randomBytes(32).toString('base64url'))
  // A different user each time, if there are more users than connections: attempts are limited per user.
  const index = (job.run * job.connections + worker) % job.people
  await signIn(person, { authorize, index }, job)
  return person
}

const codes = (kind: TokenKind): Pick<Workload, 'requests' | 'needs' | 'sign_in' | 'prepare'> => ({
  requests: 2,
  needs: ['authorize', 'token'],
  sign_in: true,
  async prepare(connection, worker, job) {
    const { target } = job
    const wish = { client_id: WEB, scope: `openid ${SCOPE}`, ...resourceOf(target) }
    const person = await signedIn(connection, worker, { job, wish })
    const headers = tokenHeaders(target, kind)
    return async () => {
      const flow = { connection, person, target, headers: headers() }
      const { access_token, id_token } = await codeFlow(flow, wish)
      if (!isAccessToken(access_token, kind) || !isJwt(id_token)) throw new Error('two JWTs were expected')
    }
  },
})

const refreshes = (kind: TokenKind): Pick<Workload, 'requests' | 'needs' | 'sign_in' | 'prepare'> => ({
  requests: 1,
  needs: ['authorize', 'token'],
  sign_in: true,
  async prepare(connection, worker, job) {
    const { target } = job
    const resource = resourceOf(target)
    const wish = { client_id: WEB_REFRESH, scope: `openid offline_access ${SCOPE}`, ...resource }
    const person = await signedIn(connection, worker, { job, wish })
    const headers = tokenHeaders(target, kind)
    let { refresh_token: current } = await codeFlow({ connection, person, target, headers: headers() }, wish)
    if (typeof current !== 'string') throw new Error('no refresh token was issued')
    const path = pathOf(target, 'token')
    return async () => {
      const form = {
        grant_type: 'refresh_token',
        client_id: WEB_REFRESH,
        refresh_token: `${current}`,
        ...resource,
      }
      const answer = await connection.form(path, form, headers())
      if (answer.status !== 200) throw new WrongAnswer('refresh', answer)
      const { access_token, id_token, refresh_token } = parsed('refresh', answer)
      if (!isAccessToken(access_token, kind) || !isJwt(id_token)) throw new Error('two JWTs were expected')
      if (typeof refresh_token !== 'string' || refresh_token === current) throw new Error('it did not rotate')
      current = refresh_token
    }
  },
})

const CODE_FLOW = 'Authorization code flow'
const REFRESH = 'Refresh with rotation'
/** An access token with ES256, and an ID token with RS256. */
const MIXED = { signatures: 1, es256_signatures: 1 }

export const authorization_code: Workload = { title: CODE_FLOW, signatures: 2, ...codes(RS256_TOKENS) }
export const refresh: Workload = { title: REFRESH, signatures: 2, ...refreshes(RS256_TOKENS) }

const codesOf = (end: keyof typeof ES256_TOKENS): Workload => ({
  title: `${CODE_FLOW}, ${end}`,
  ...MIXED,
  ...codes(ES256_TOKENS[end]),
})
const refreshesOf = (end: keyof typeof ES256_TOKENS): Workload => ({
  title: `${REFRESH}, ${end}`,
  ...MIXED,
  ...refreshes(ES256_TOKENS[end]),
})
export const authorization_code_es256 = codesOf('ES256')
export const authorization_code_dpop = codesOf('ES256 and DPoP')
export const refresh_es256 = refreshesOf('ES256')
export const refresh_dpop = refreshesOf('ES256 and DPoP')

export const userinfo: Workload = {
  title: 'UserInfo',
  requests: 1,
  signatures: 0,
  needs: ['authorize', 'token', 'userinfo'],
  sign_in: true,
  async prepare(connection, worker, job) {
    const { target } = job
    // Without a resource: UserInfo takes the tokens that are for the provider itself.
    const wish = { client_id: WEB, scope: 'openid email' }
    const person = await signedIn(connection, worker, { job, wish })
    const { access_token } = await codeFlow({ connection, person, target, headers: {} }, wish)
    const path = pathOf(target, 'userinfo')
    const headers = { authorization: `Bearer ${access_token}` }
    return async () => {
      const answer = await connection.request(path, { headers })
      if (answer.status !== 200 || typeof parsed('userinfo', answer).email !== 'string')
        throw new WrongAnswer('userinfo', answer)
    }
  },
}

export const password_login: Workload = {
  title: 'Password login',
  requests: 3,
  signatures: 0,
  needs: ['authorize', 'password'],
  sign_in: true,
  async prepare(connection, worker, job) {
    const wish = { client_id: WEB, scope: 'openid' }
    let turn = 0
    return async () => {
      // A new user each time, from another address: the limits on attempts stay in force.
      const index = (job.run * 8192 + turn++ * job.connections + worker) % job.people
      const person = personAt(connection, addressOf(job.run * 65_536 + turn * 64 + worker))
      const authorize = authorizePath(job.target, wish, randomBytes(32).toString('base64url'))
      await signIn(person, { authorize, index }, job)
    }
  },
}
