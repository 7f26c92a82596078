/** createSimulation: what would happen, without happening. */

import type { KeyStore, ProviderOptions } from '@ostiary/core'
import type { AuthorizationInput, AuthorizationOutcome } from './authorization.js'
import { bounds, MAX_MILLISECONDS } from './bounds.js'
import type { CoreFunctions } from './place/place.js'
import type { SignInInput, SignInOutcome, SignInPlace } from './sign-in.js'
import type { TokensInput, TokensOutcome } from './tokens/simulate-tokens.js'

/** The options of `createSimulation`. */
export interface SimulationOptions {
  /** Of `@ostiary/core`. */
  core: CoreFunctions
  /** Those of the provider that is asked about. Nothing of it is written, sent or reported. */
  provider: ProviderOptions
  /** Milliseconds after which a simulation that is not ready has no result; 4000 when absent. */
  within_ms?: number
}

/** Says what would happen. Each method rejects with a `SimulationError` when it cannot say so. */
export interface Simulation {
  /** What the authorization endpoint would answer. */
  authorization(realm: string, input: AuthorizationInput): Promise<AuthorizationOutcome>
  /** What the tokens of a client would say. */
  tokens(realm: string, input: TokensInput): Promise<TokensOutcome>
  /** How a user could sign in. */
  signIn(place: SignInPlace, input: SignInInput): Promise<SignInOutcome>
}

/**
 * Simulates requests to a provider: with its configuration, clients, users and consents, by its own endpoints. Nothing is stored, counted,
 * mailed or reported, and no request is sent.
 *
 * @example
 * ```ts
 * import * as core from '@ostiary/core'
 * import { memoryStorage } from '@ostiary/core/memory'
 * import { createSimulation } from '@ostiary/simulation'
 *
 * export async function whyNoCode(provider: core.ProviderOptions, client_id: string) {
 *   const simulation = createSimulation({ core: { ...core, memoryStorage }, provider })
 *   const input = { client_id, parameters: { response_type: 'code' }, user: null }
 *   return (await simulation.authorization('default', input)).hint
 * }
 * ```
 */
export function createSimulation(options: SimulationOptions): Simulation {
  const { core, provider, within_ms = MAX_MILLISECONDS } = options
  const bounded = bounds(within_ms)
  const secret = [crypto.randomUUID(), crypto.randomUUID()].join()
  const keysOf = ownKeys(core)
  return {
    authorization: (realm, input) =>
      bounded(async () => {
        const { simulateAuthorization } = await import('./authorization.js')
        return simulateAuthorization({ core, provider, realm, secret }, input)
      }),
    tokens: (realm, input) =>
      bounded(async () => {
        const { simulateTokens } = await import('./tokens/simulate-tokens.js')
        return simulateTokens({ core, provider, realm, secret }, input, keysOf(realm))
      }),
    signIn: (place, input) =>
      bounded(async () => {
        const { simulateSignIn } = await import('./sign-in.js')
        return simulateSignIn(place, input)
      }),
  }
}

/** Realms whose keys of simulations are kept. */
const MAX_REALMS_WITH_KEYS = 20

/** Keys that no server publishes: making one takes longer than all the rest. */
function ownKeys({ memoryStorage }: Pick<CoreFunctions, 'memoryStorage'>): (realm: string) => KeyStore {
  const stores = new Map<string, KeyStore>()
  return (realm) => {
    const keys = stores.get(realm) ?? memoryStorage()(realm).keys
    stores.set(realm, keys)
    const [oldest] = stores.keys()
    if (stores.size > MAX_REALMS_WITH_KEYS && oldest !== undefined) stores.delete(oldest)
    return keys
  }
}
