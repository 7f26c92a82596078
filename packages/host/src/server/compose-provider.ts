/** Identity and the provider, as the configuration says. */

import {
  createProvider,
  type FetchDocument,
  type OidcEvent,
  type Provider,
  type ProviderOptions,
} from '@ostiary/core'
import { createIdentity, type Identity, type IdentityEvent, type PasswordHasher } from '@ostiary/identity'
import type { HostConfig } from '../config/host-config.js'
import { guardedDocuments, guardedFetch } from '../network/guarded-fetch.js'
import type { HostStorage } from '../storage/host-storage.js'
import { isOutage } from '../storage/outage.js'
import { runtimeHashes } from './hashing.js'
import { signerFor } from './signing.js'

interface ProviderDependencies {
  storage: HostStorage
  /** Epoch seconds. */
  now: () => number
  on_event: (event: OidcEvent | IdentityEvent) => void
  passwords: PasswordHasher
}

export function composeProvider(
  config: HostConfig,
  { storage: { storage, users }, now, on_event, passwords }: ProviderDependencies,
): { identity: Identity; provider: Provider } {
  const { oidc, app_url, secret, previous_secret, theme, languages, account = true, login } = config
  const secrets = previous_secret === undefined ? { secret } : { secret, previous_secret }
  const shared = { ...secrets, now, on_event, unavailable: isOutage }
  const identity = createIdentity({
    ...shared,
    users,
    passwords,
    throttle: (realm) => storage(realm).throttle,
    account,
    landing: true,
    fetch_document: guardedDocuments({ allow_loopback: mayCallLoopback(config) }),
    ...(theme && { theme }),
    ...(languages && { languages }),
    ...(login && { limits: login }),
  })
  const { accounts, interactions } = identity
  const signer = signerFor(config.server.workers)
  const provider = createProvider({
    ...shared,
    oidc,
    storage,
    accounts,
    interactions,
    ...logoutFetches(config),
    fetch_document: documentFetcher(config),
    ...(app_url !== undefined && { app_url }),
    signer,
    hashes: runtimeHashes,
  })
  return { identity, provider }
}

/** Back-channel logout: only the receivers of an operator's clients may be in the private networks that the operator has listed. */
export function logoutFetches(
  config: Pick<HostConfig, 'oidc' | 'backchannel'>,
): Required<Pick<ProviderOptions, 'fetch' | 'fetch_of_operator'>> {
  const allowed = mayCallLoopback(config)
  const options = { allow_loopback: allowed, allow_loopback_https: allowed }
  const { private_hosts } = config.backchannel
  return {
    fetch: guardedFetch(options),
    fetch_of_operator: guardedFetch({ ...options, private_hosts }),
  }
}

/** Reads the metadata documents and keys of clients. */
export const documentFetcher = (config: HostConfig): FetchDocument =>
  guardedDocuments({ allow_loopback_https: mayReadLoopback(config) })

const realmsOf = ({ oidc }: Pick<HostConfig, 'oidc'>) => [oidc, ...Object.values(oidc.realms ?? {})]

/** A back-channel logout URI, or a logo, may be on this machine only where a realm allows that (for development). */
const mayCallLoopback = (config: Pick<HostConfig, 'oidc'>): boolean =>
  realmsOf(config).some(({ backchannel }) => backchannel?.allow_insecure === true)

/**
 * So may the metadata document of a client, and its keys, by https. One realm decides for all: the key is refused unless the
 * issuer, which all realms share, is on this machine.
 */
const mayReadLoopback = (config: HostConfig): boolean =>
  realmsOf(config).some(({ clients }) => clients?.metadata_documents?.allow_loopback === true)
