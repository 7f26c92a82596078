/** A provider over the configuration of the real one, whose writes, events and requests to others stay in it. */

import type {
  Client,
  ConsentPrompt,
  Interactions,
  KeyStore,
  LoginPrompt,
  OidcConfig,
  OidcEvent,
  Provider,
  ProviderOptions,
  Realm,
  RealmStorage,
} from '@ostiary/core'
import { SimulationError } from '../simulation-error.js'
import { overlay } from './overlay.js'

/** Functions of `@ostiary/core`, as the process has loaded them. */
export type CoreFunctions = Pick<
  typeof import('@ostiary/core'),
  'createProvider' | 'readBy' | 'standardClaims' | 'withoutProtocolClaims'
> &
  Pick<typeof import('@ostiary/core/memory'), 'memoryStorage'>

/** What a simulation is made of. */
export interface PlaceOptions {
  core: CoreFunctions
  /** Those of the real provider. */
  provider: ProviderOptions
  realm: string
  /** Null: that of the provider, which decrypts the keys of the realm. */
  secret: string | null
  /** Of this place. Null: those of the realm, with which nothing is signed. */
  keys: KeyStore | null
  clientAs?: (client: Client) => Client
}

/** A provider for one simulation. */
export interface Place {
  provider: Provider
  realm: Realm
  storage: RealmStorage
  clock: { now: number }
  /** In their order. */
  events: OidcEvent[]
  /** What the pages would show; null for a page that was not asked for. */
  prompts: { login: LoginPrompt | null; consent: ConsentPrompt | null }
  /** Answers a request. @throws What the real provider would report as a failure; SimulationError */
  fetch(request: Request): Promise<Response>
}

export async function openPlace(options: PlaceOptions): Promise<Place> {
  const { core, provider: real, realm: id, secret, keys, clientAs = (client) => client } = options
  const { accounts, oidc = {} } = real
  const clock = { now: real.now?.() ?? Math.floor(Date.now() / 1000) }
  const now = () => clock.now
  const storage = overlay(real.storage(id), core.memoryStorage()(id), { now, clientAs, keys })
  const events: OidcEvent[] = []
  const prompts: Place['prompts'] = { login: null, consent: null }
  const network = closedNetwork()
  const { previous_secret, on_flow: _, guards: __, ...shared } = real
  const provider = core.createProvider({
    ...shared,
    ...network.functions,
    oidc: ofRealm(oidc, id),
    ...(secret === null ? previous(previous_secret) : { secret }),
    storage: () => storage,
    // The records of this place are in no database that could be asked for both.
    accounts: { find: (sub, realm) => accounts.find(sub, realm) },
    interactions: pages(real.interactions, prompts),
    on_event: (event) => void events.push(event),
    now,
    client_cache: 0,
    ...(keys === null && { signer: unsigned }),
  })
  const located = await provider.locate(new Request(provider.url('oidc.jwks', { realm: id })))
  if (located === null) throw new Error(`The realm ${id} has no URL`)
  return {
    provider,
    realm: located.realm,
    storage,
    clock,
    events,
    prompts,
    async fetch(request) {
      const answer = await provider.fetch(request)
      network.check()
      const failure = events.find((event) => event.type === 'server.error')
      if (failure !== undefined) throw failure.cause
      return answer
    },
  }
}

const previous = (previous_secret: string | undefined) =>
  previous_secret === undefined ? {} : { previous_secret }

/** Other realms of the configuration are not asked for. */
function ofRealm(oidc: OidcConfig, id: string): OidcConfig {
  const own = Object.entries(oidc.realms ?? {}).filter(([name]) => name === id)
  return own.length === 0 ? oidc : { ...oidc, realms: Object.fromEntries(own) }
}

/** What the sign-in can reach decides about requests; its pages are not made. */
const pages = (real: Interactions, prompts: Place['prompts']): Interactions => ({
  async login(prompt) {
    prompts.login = prompt
    return new Response()
  },
  async consent(prompt) {
    prompts.consent = prompt
    return new Response()
  },
  ...(real.reachableAcr && { reachableAcr: real.reachableAcr.bind(real) }),
  ...(real.reachableAcrOf && { reachableAcrOf: real.reachableAcrOf.bind(real) }),
  ...(real.signsUp && { signsUp: real.signsUp.bind(real) }),
})

const unsigned = () => () => {
  throw new Error('A simulation signs nothing with a key of the realm')
}

/** No request leaves the server: one that was tried is noticed. */
function closedNetwork() {
  let is_tried = false
  const closed = async (): Promise<never> => {
    is_tried = true
    throw new Error('A simulation sends no requests')
  }
  return {
    functions: { fetch: closed, fetch_of_operator: closed, fetch_document: closed },
    check() {
      if (!is_tried) return
      throw new SimulationError(
        'conflict',
        'The client has a metadata document or a jwks_uri that would have to be read, and a simulation sends no requests. A document is stored when a user allows the client for the first time: try again after that',
      )
    },
  }
}
