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

type Sources = SimulationOptions & SignInSources
type Sent<Schema extends z.ZodType> = z.output<Schema>

const SIGNED_IN = { level: 1, age: 0 } as const

/** The operations `simulate/authorization`, `simulate/tokens` and `simulate/sign-in`. */
export const simulationOperations = (sources: Sources): SimulationOperation[] =>
  Object.values(operationsOf(sources))

/** By the last part of the path. */
export function operationsOf(
  sources: Sources,
): Record<'authorization' | 'tokens' | 'sign-in', SimulationOperation> {
  const simulation = createSimulation(sources)
  return {
    authorization: operation('authorization', {
      summary: 'What the authorization endpoint would answer, and why; nothing is stored',
      area: 'clients',
      also: ({ sub }: { sub?: string }) => (sub === undefined ? null : 'users'),
      body: authorizationBody,
      answer: authorizationAnswer,
      run({ realm }, { client_id, parameters, sub, session = SIGNED_IN }: Sent<typeof authorizationBody>) {
        const user = sub === undefined ? null : { sub, ...session }
        return simulation.authorization(realm, { client_id, parameters, user })
      },
    }),
    tokens: operation('tokens', {
      summary: 'Which claims the tokens of a client would have about a user, without a token',
      area: 'clients',
      also: () => 'users',
      body: tokensBody,
      answer: tokensAnswer,
      run({ realm }, { sub, session = SIGNED_IN, resource, ...body }: Sent<typeof tokensBody>) {
        return simulation.tokens(realm, { ...body, user: { sub, ...session }, resource: resource ?? null })
      },
    }),
    'sign-in': operation('sign-in', {
      summary: 'How a user could sign in, and which limits are reached; nothing is counted',
      area: 'users',
      body: signInBody,
      answer: signInAnswer,
      async run({ realm, users, parts }, body: Sent<typeof signInBody>) {
        return simulation.signIn({ realm, users, ...(await parts()), ...sources }, body)
      },
    }),
  }
}

interface Simulated extends Pick<SimulationOperation, 'summary' | 'area' | 'also' | 'body'> {
  answer: z.ZodType
  run(call: SimulationCall, body: never): Promise<unknown>
}

/** With its row. @param name The last part of the path. */
function operation(name: string, { answer, run, ...shared }: Simulated): SimulationOperation {
  const id = `simulate.${name.replace('-', '_')}`
  return {
    ...shared,
    id,
    method: 'POST',
    access: 'read',
    path: `/simulate/${name}`,
    answers: { 200: answer },
    run: async (call, { body }) => ({
      body: await noted(call, { operation: id, body }, () => run(call, body)),
    }),
  }
}
