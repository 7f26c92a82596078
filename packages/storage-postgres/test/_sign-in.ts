/** Servers of one deployment, whose pages sign users in with factors. */

import { createProvider } from '@ostiary/core'
import { createIdentity, type PasswordHasher, type User } from '@ostiary/identity'
import { type Executor, postgresStores, type Queries } from '../src/index.js'

export const ISSUER = 'https://id.example.com'
export const PASSWORD = 'correct horse'
export const clock = { now: 1_800_000_000 }
export const SECRET = 'only-for-tests-only-for-tests-only-for-tests'
const plainPasswords: PasswordHasher = {
  hash: async (password) => `plain ${password}`,
  verify: async (hash, password) => hash === `plain ${password}`,
  stale: () => false,
}

interface ServerOptions {
  /** Those that cost nothing when absent. */
  passwords?: PasswordHasher
  /** Of each client. */
  address?: string
}

/** One server of the deployment. */
export function server(executor: Executor, { passwords = plainPasswords, ...info }: ServerOptions = {}) {
  const { storage, users, factors } = postgresStores(executor)
  const identity = createIdentity({
    users,
    factors,
    throttle: (realm) => storage(realm).throttle,
    replays: (realm) => storage(realm).replays,
    secret: SECRET,
    passwords,
    now: () => clock.now,
  })
  const { accounts, interactions } = identity
  const provider = createProvider({
    oidc: { issuer: ISSUER },
    secret: SECRET,
    storage,
    accounts,
    interactions,
    now: () => clock.now,
  })
  const handle = async (request: Request) =>
    (await identity.fetch(provider, request, info)) ?? provider.fetch(request, info)
  return { handle, users: users('default'), factors: factors('default') }
}

export type Server = ReturnType<typeof server>

/** Signs in with PASSWORD. */
export const newUser = (sub: string): User => ({
  sub,
  username: sub,
  username_key: sub,
  password_hash: `plain ${PASSWORD}`,
  claims: {},
  attributes: null,
  groups: null,
  created_at: clock.now,
  updated_at: clock.now,
  disabled_at: null,
  credential_version: 0,
  second_step: false,
})

export const signsIn = ({ headers }: Response): boolean =>
  headers.getSetCookie().some((cookie) => cookie.includes('session='))

/** The same stores, in a transaction. */
export const inTransaction = (tx: Queries): Executor => ({
  ...tx,
  transaction: (run) => run(tx),
  close: async () => {},
})
