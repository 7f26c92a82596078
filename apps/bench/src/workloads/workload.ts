/** The interface of a workload. */

import type { Answer, Connection } from '../load/connection.js'
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
  signatures: number
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

/** Whether the value is a JWT, by its form: these are the ones that had to be signed. */
export const isJwt = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('eyJ') && value.split('.').length === 3
