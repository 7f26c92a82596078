/** The pages of the sign-in and of the account over PostgreSQL, in this process: without sockets, which are not what is measured. */

import { createProvider } from '@ostiary/core'
import { createIdentity } from '@ostiary/identity'
import { type Executor, postgresStores } from '@ostiary/storage-postgres'

export const ISSUER = 'https://id.example.com'
export const LOGIN = `${ISSUER}/login?return_to=%2Faccount`
export const ACCOUNT = `${ISSUER}/account`

export interface Pages {
  /** @param address Of the client: attempts to sign in are counted per address. */
  handle(request: Request, address?: string): Promise<Response>
  users: ReturnType<ReturnType<typeof postgresStores>['users']>
  factors: ReturnType<ReturnType<typeof postgresStores>['factors']>
  /** Epoch seconds. The codes of an app change with it. */
  clock: { now: number }
}

export function pagesOn(executor: Executor): Pages {
  const { storage, users, factors } = postgresStores(executor)
  const clock = { now: Math.floor(Date.now() / 1000) }
  const shared = { secret: 'only-for-a-measurement-32-characters', now: () => clock.now }
  const identity = createIdentity({
    ...shared,
    users,
    factors,
    settings: () => ({ second_factor: 'optional' }),
    throttle: (realm) => storage(realm).throttle,
    replays: (realm) => storage(realm).replays,
  })
  const { accounts, interactions } = identity
  const provider = createProvider({ ...shared, oidc: { issuer: ISSUER }, storage, accounts, interactions })
  return {
    async handle(request, address) {
      const info = address === undefined ? {} : { address }
      return (await identity.fetch(provider, request, info)) ?? provider.fetch(request, info)
    },
    users: users('default'),
    factors: factors('default'),
    clock,
  }
}
