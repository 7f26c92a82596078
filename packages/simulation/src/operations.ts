/** The operations of the admin API, for the option `operations` of `createAdmin`. They change nothing. */

import type { User } from '@ostiary/identity'
import type * as z from 'zod'
import { noted, type Rows } from './noted.js'
import {
  authorizationAnswer,
  authorizationBody,
  signInAnswer,
  signInBody,
  tokensAnswer,
  tokensBody,
} from './operation-schemas.js'
import type { SignInPlace, SignInSources } from './sign-in.js'
import { createSimulation, type SimulationOptions } from './simulation.js'

/** What an operation takes of a call of the API. */
export interface SimulationCall {
  realm: string
  users: { findByUsername(key: string): Promise<User | null> }
  /** Null without an audit. */
  audit: Rows | null
  parts(): Promise<Pick<SignInPlace, 'settings' | 'factors' | 'links' | 'addresses' | 'throttles'>>
}

/** An operation in the form of `@ostiary/admin`. */
export interface SimulationOperation {
  id: string
  method: 'POST'
  path: string
  summary: string
  area: 'clients' | 'users'
  access: 'read'
  /** What has to be readable too. */
  also?(body: never): 'users' | null
  body: z.ZodType
  answers: Readonly<Record<number, z.ZodType>>
  run(call: SimulationCall, given: { query: never; body: never }): Promise<{ body: unknown }>
}

const READS = { method: 'POST', access: 'read' } as const
const PATH = '/simulate'

type Sent<Schema extends z.ZodType> = { body: z.output<Schema> }

/** The operations `simulate/authorization`, `simulate/tokens` and `simulate/sign-in`. */
export function simulationOperations(sources: SimulationOptions & SignInSources): SimulationOperation[] {
  const simulation = createSimulation(sources)
  return [
    {
      ...READS,
      id: 'simulate.authorization',
      path: `${PATH}/authorization`,
      summary: 'What the authorization endpoint would answer, and why; nothing is stored',
      area: 'clients',
      also: ({ sub }: { sub?: string }) => (sub === undefined ? null : 'users'),
      body: authorizationBody,
      answers: {
        200: authorizationAnswer,
      },
      async run(call, { body }: Sent<typeof authorizationBody>) {
        const { client_id, parameters, sub, session = { level: 1, age: 0 } } = body
        const user = sub === undefined ? null : { sub, ...session }
        const row = { operation: 'simulate.authorization', sub, client_id }
        const run = () => simulation.authorization(call.realm, { client_id, parameters, user })
        return { body: await noted(call, row, run) }
      },
    },
    {
      ...READS,
      id: 'simulate.tokens',
      path: `${PATH}/tokens`,
      summary: 'Which claims the tokens of a client would have about a user, without a token',
      area: 'clients',
      also: () => 'users',
      body: tokensBody,
      answers: {
        200: tokensAnswer,
      },
      async run(call, { body }: Sent<typeof tokensBody>) {
        const { client_id, sub, scopes, resource = null, session = { level: 1, age: 0 } } = body
        const input = { client_id, user: { sub, ...session }, scopes, resource }
        const row = { operation: 'simulate.tokens', sub, client_id }
        return { body: await noted(call, row, () => simulation.tokens(call.realm, input)) }
      },
    },
    {
      ...READS,
      id: 'simulate.sign_in',
      path: `${PATH}/sign-in`,
      summary: 'How a user could sign in, and which limits are reached; nothing is counted',
      area: 'users',
      body: signInBody,
      answers: {
        200: signInAnswer,
      },
      async run(call, { body }: Sent<typeof signInBody>) {
        const { realm, users } = call
        const place = { realm, users, ...(await call.parts()), ...sources }
        const row = { operation: 'simulate.sign_in' }
        return { body: await noted(call, row, () => simulation.signIn(place, body)) }
      },
    },
  ]
}
