/** The interface of a workload. */

import type { Answer, Connection } from '../load/connection.js'
import { proofsOfNewKey } from '../load/proofs.js'
import type { Endpoint, Target } from '../target.js'

export interface Job {
  target: Target
  /** Which run it is: nothing that may be used once only is used in two. */
  run: number
  /** The number of connections. */
  connections: number
  /** How many users can sign in. */
  people: number
}

/** One operation over its connection. Throws when the answer is wrong. */
export type Operation = () => Promise<void>

export interface Workload {
  title: string
  /** What one operation asks of the server: what the bare server is asked for too. */
  requests: number
  /** Of RS256. */
  signatures: number
  /** Of ES256: then the server signs access tokens for the API with it, and takes DPoP proofs. */
  es256_signatures?: number
  /** The endpoints that a server must have. */
  needs: readonly Endpoint[]
  /** Needs a person who can sign in. */
  sign_in?: true
  /** Makes one connection ready. @param worker Its number, from 0. */
  prepare(connection: Connection, worker: number, job: Job): Promise<Operation>
}

export class WrongAnswer extends Error {
  constructor(what: string, { status, body, header }: Answer) {
    super(`${what}: ${status} ${header('location') ?? body.slice(0, 300)}`)
    this.name = 'WrongAnswer'
  }
}

export function pathOf({ paths }: Target, endpoint: Endpoint): string {
  const path = paths[endpoint]
  if (path === undefined) throw new Error(`The server has no ${endpoint}`)
  return path
}

export function parsed(what: string, answer: Answer): Record<string, unknown> {
  try {
    return JSON.parse(answer.body) as Record<string, unknown>
  } catch {
    throw new WrongAnswer(what, answer)
  }
}

/** How a workload asks for access tokens. */
export interface TokenKind {
  /** Of its access tokens; ID tokens have RS256. */
  alg: 'RS256' | 'ES256'
  /** Each token request has a proof of the connection's key. */
  dpop: boolean
}

export const RS256_TOKENS: TokenKind = { alg: 'RS256', dpop: false }
/** With the ends of titles. */
export const ES256_TOKENS: Readonly<Record<'ES256' | 'ES256 and DPoP', TokenKind>> = {
  ES256: { alg: 'ES256', dpop: false },
  'ES256 and DPoP': { alg: 'ES256', dpop: true },
}

/** The headers of a connection's token requests. */
export function tokenHeaders({ origin, paths }: Target, { dpop }: TokenKind): () => Record<string, string> {
  if (!dpop) return () => ({})
  const proof = proofsOfNewKey()
  return () => ({ dpop: proof(`${origin}${paths.token}`) })
}

/** Whether it is a JWT of this algorithm. The name is only looked for where the server could have used another one. */
export function isAccessToken(value: unknown, { alg }: TokenKind): boolean {
  if (!isJwt(value)) return false
  const [header = ''] = value.split('.', 1)
  return alg === 'RS256' || JSON.parse(Buffer.from(header, 'base64url').toString()).alg === alg
}

/** Whether the value is a JWT, by its form: these are the ones that had to be signed. */
export const isJwt = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('eyJ') && value.split('.').length === 3
