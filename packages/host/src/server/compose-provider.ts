/** Identity and the provider, as the configuration says. */

import {
  ConfigError,
  createProvider,
  type FetchDocument,
  isLoopbackIssuer,
  type OidcEvent,
  type Provider,
  type ProviderOptions,
} from '@ostiary/core'
import {
  createIdentity,
  type Identity,
  type IdentityEvent,
  type IdentityOptions,
  type PasswordHasher,
} from '@ostiary/identity'
import type { HostConfig } from '../config/host-config.js'
import { type RealmMails, realmMails } from '../mail/realm-mails.js'
import { guardedDocuments, guardedFetch } from '../network/guarded-fetch.js'
import type { HostStorage } from '../storage/host-storage.js'
import { isOutage } from '../storage/outage.js'
import { type HostRealms, identityOf } from '../storage/run-time-realms.js'
import { given } from '../values/given.js'
import { runtimeHashes } from './hashing.js'
import { signerFor } from './signing.js'

interface ProviderDependencies {
  storage: HostStorage
  /** Epoch seconds. */
  now: () => number
  on_event: (event: OidcEvent | IdentityEvent) => void
  on_flow?: ProviderOptions['on_flow']
  passwords?: PasswordHasher
  password_rules?: IdentityOptions['password_rules']
  extensions: IdentityOptions['extensions']
  sign_up: IdentityOptions['sign_up']
  recovery?: IdentityOptions['recovery']
  /** Null when absent: there are those of the configuration. */
  realms?: HostRealms | null
}

export function composeProvider(
  config: HostConfig,
  {
    storage: { storage, users, factors, tickets, remembered_devices, mails: queue },
    now,
    on_event,
    on_flow,
    passwords,
    password_rules,
    extensions,
    sign_up,
    recovery,
    realms = null,
  }: ProviderDependencies,
): { identity: Identity; provider: Provider; options: ProviderOptions; mails: RealmMails | null } {
  const { oidc, app_url, issuer, secret, previous_secret, theme, languages, account = true, login } = config
  const unavailable = (cause: unknown) => isOutage(cause) || (realms !== null && cause instanceof ConfigError)
  const shared = { secret, ...given({ previous_secret }), now, on_event, unavailable }
  const mails = realmMails(config.realms, queue)
  const identity = createIdentity({
    ...shared,
    users,
    ...given({ passwords, password_rules, extensions, sign_up, recovery, theme, languages, limits: login }),
    throttle: (realm) => storage(realm).throttle,
    replays: (realm) => storage(realm).replays,
    tickets,
    remembered_devices,
    ...(mails && { mail: { queue, of: mails.of } }),
    ...((realms !== null || offersFactors(config)) && { factors, settings: identityOf(config, realms) }),
    account,
    landing: true,
    refused: refusedOf(config),
    fetch_document: guardedDocuments({ allow_loopback: isLoopbackIssuer(issuer) }),
  })
  const { accounts, interactions } = identity
  const signer = signerFor(config.server.workers)
  const options: ProviderOptions = {
    ...shared,
    ...given({ on_flow, app_url }),
    oidc,
    storage,
    accounts,
    interactions,
    ...logoutFetches(config),
    fetch_document: documentFetcher(config),
    signer,
    hashes: runtimeHashes,
    ...(realms && { realms: realms.lookUp }),
  }
  const provider = createProvider(options)
  realms?.attach(provider.forgetRealm)
  return { identity, provider, options, mails }
}

/** Loaded with the first user who may not use an application. */
const refusedOf =
  ({ access = {} }: HostConfig): NonNullable<IdentityOptions['refused']> =>
  async (view) =>
    (await import('@ostiary/access-rules')).refusedPage(view, access[view.prompt.realm.id]?.help_text)

/** Where no realm offers passkeys or codes, the sign-in is that of passwords alone. */
const offersFactors = ({ realms }: HostConfig): boolean =>
  Object.values(realms).some(
    ({ identity: { passkeys = {}, second_factor } }) => passkeys.enabled !== false || second_factor !== 'off',
  )

/** Back-channel logout: only the receivers of an operator's clients may be in the private networks that the operator has listed. */
export function logoutFetches(
  config: Pick<HostConfig, 'issuer' | 'backchannel'>,
): Required<Pick<ProviderOptions, 'fetch' | 'fetch_of_operator'>> {
  const allowed = isLoopbackIssuer(config.issuer)
  const options = { allow_loopback: allowed, allow_loopback_https: allowed }
  const { private_hosts } = config.backchannel
  return {
    fetch: guardedFetch(options),
    fetch_of_operator: guardedFetch({ ...options, private_hosts }),
  }
}

/** Reads the metadata documents and keys of clients: of this computer too, with an issuer on it. */
export const documentFetcher = (config: HostConfig): FetchDocument =>
  guardedDocuments({ allow_loopback_https: isLoopbackIssuer(config.issuer) })
