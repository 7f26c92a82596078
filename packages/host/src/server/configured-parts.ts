/** What the app makes of a configuration: a reload makes these parts anew. */

import type { Audit } from '@ostiary/audit'
import { inParallel, type Provider, type RouteName, SealedKeyError } from '@ostiary/core'
import type {
  Identity,
  IdentityOptions,
  PasswordHasher,
  PasswordRules,
  SignInSettings,
  Users,
} from '@ostiary/identity'
import { openAudit } from '../audit/open-audit.js'
import { openSinks } from '../audit/open-sinks.js'
import type { HostConfig } from '../config/host-config.js'
import { realmIds } from '../config/realm-ids.js'
import { errorFields, type Log } from '../log/log.js'
import type { AnyEvent } from '../log/log-events.js'
import { emailSignInOf } from '../storage/email-sign-in.js'
import type { HostStorage } from '../storage/host-storage.js'
import { ofAllRealms, realmsOf } from '../storage/run-time-realms.js'
import { lostSecretError } from '../storage/storage-error.js'
import { type SyncReport, syncRealms } from '../storage/sync.js'
import { type AdminParts, adminOf, type ServedAdmin } from './admin/served-admin.js'
import { type BackgroundWork, backgroundWork } from './background.js'
import { type BrowserPages, browserPages } from './browser-page.js'
import { composeProvider } from './compose-provider.js'
import { createDemo, type Demo } from './demo.js'
import { accountDeletionOf } from './extensions/account-deletion.js'
import { consoleLinkOf } from './extensions/console-link.js'
import { extensionsOf, signUpOf } from './extensions/extensions.js'
import { iconOf } from './icon.js'
import { passwordRulesOf, realmPasswordRules } from './password-rules.js'
import { realmOf, realmPasskeys } from './realm-of.js'
import { type RouteLabel, routeLabels } from './route-labels.js'
import { providerTicker, type Ticker } from './ticker.js'

export interface ConfiguredParts {
  config: HostConfig
  identity: Identity
  provider: Provider
  /** Each change of a user goes through them. */
  users: Users
  /** Null where the configuration has none. */
  audit: Audit | null
  /** Null where the configuration has none. */
  admin: ServedAdmin | null
  /** In try-out mode. */
  demo: Demo | null
  pages: BrowserPages
  /** Answers at `/favicon.ico`. */
  icon: () => Promise<Response>
  routeOf: (pathname: string) => RouteLabel
  ticker: Ticker
  background: BackgroundWork
}

export interface PartsDependencies {
  storage: HostStorage
  log: Log
  /** Epoch seconds. */
  now: () => number
  on_event: (event: AnyEvent) => void
  /** Milliseconds between two ticks of the provider. */
  tick_every: number
  /** Whether this server does the background work at this moment. */
  leads: () => boolean
  /** One queue for all configurations of this process. */
  passwords: PasswordHasher
  /** Called after each tick. */
  ticked: () => void
  /** As `/readyz` answers. */
  readiness: AdminParts['readiness']
}

/** Undefined where an operator lets users in again: then nothing of it is loaded. */
const recoveryOf = async ({ recovery: realms }: HostConfig): Promise<IdentityOptions['recovery']> =>
  realms && (await import('@ostiary/recovery')).createRecovery({ realms })

/** Reads and writes nothing yet. @throws ConfigError */
export async function configuredParts(
  config: HostConfig,
  { storage: opened, log, now, on_event, tick_every, leads, passwords, ticked, readiness }: PartsDependencies,
): Promise<ConfiguredParts> {
  const by_email = await emailSignInOf(config, opened)
  const { users } = by_email ?? opened
  const realms = await realmsOf(config, {
    storage: opened,
    now,
    failed: (error) => log.error('a deleted realm is not purged', errorFields(error)),
  })
  const entered = { ...opened, storage: ofAllRealms(opened, realms), users }
  const failed = (error: unknown) => log.error('the audit is not written', errorFields(error))
  const audit = await openAudit(config, { storage: opened, now, failed })
  const storage = audit?.stores(entered) ?? entered
  const password_rules = await passwordRulesOf(config, realms)
  const deletion = await accountDeletionOf(config, storage, {
    now,
    failed: (error) => log.error('the mail about a deletion is not queued', errorFields(error)),
  })
  const link = await consoleLinkOf(config, opened)
  const own = [deletion?.extension, by_email?.extension, link].flatMap((each) => each ?? [])
  const extensions = await extensionsOf(config, { storage, now }, own)
  const sign_up = await signUpOf(config)
  const recovery = await recoveryOf(config)
  const kept = audit && { on_event: audit.sink(on_event), on_flow: audit.onFlow }
  const more = { now, on_event, ...kept, passwords, password_rules, extensions, sign_up, recovery, realms }
  const composed = composeProvider(config, { ...more, storage })
  const { identity, mails } = composed
  const provider = audit?.provider(composed.provider) ?? composed.provider
  // In memory, where a start has few users, they are entered before the first request.
  if (opened.addresses === undefined) await by_email?.fill()
  const filling = by_email?.filling((error) => log.error('background work failed', errorFields(error)))
  const keysOf = async (realm: string) => (await provider.manage(realm)).keys
  const undelivered = (error: unknown) => log.error('the audit is not delivered', errorFields(error))
  const reported = { audit, records: opened.records, keysOf, now, on_event, failed: undelivered }
  const sinks = await openSinks(config, reported)
  const background = backgroundWork(
    { provider, identity, mails, audit, sinks, filling, deletion, keysOf, realms },
    { config, now, log },
  )
  const bare = {
    storage: opened,
    provider: composed.provider,
    options: composed.options,
    identity,
    extensions,
    users,
    audit,
    passwords,
    by_email,
    mail: mails,
    readiness,
    realms,
  }
  return {
    config,
    identity,
    provider,
    users,
    audit,
    admin: await adminOf(config, { ...bare, on_event: kept?.on_event ?? on_event, now, log }),
    demo: config.try_out ? await createDemo(config.issuer) : null,
    pages: browserPages({ provider, interactions: identity.interactions, name: nameOf(config) }),
    icon: iconOf(config.theme),
    routeOf: routeLabels(provider, realmIds(config), realms ? [] : await missingRoutes(config, provider)),
    ticker: providerTicker(background, { log, interval_ms: tick_every, leads, ticked }),
    background,
  }
}

/** What the pages call the server. */
const nameOf = ({ theme, issuer }: HostConfig): string => theme?.name ?? new URL(issuer).host

async function missingRoutes(config: HostConfig, provider: Provider): Promise<RouteName[]> {
  const realms = await Promise.all(realmIds(config).map((id) => realmOf(provider, id)))
  return realms.every(({ policy }) => policy.pushed === 'off') ? ['oidc.par'] : []
}

/** Realms whose first keys are made at the start. In others, the first request that needs one makes it: each takes a while. */
const MAX_FIRST_KEYS = 10
/** Who changes what the configuration names, in the audit. */
const CONFIGURATION = 'configuration'
/** Realms whose keys are read, opened or made at the same time. */
const MAX_PARALLEL_REALMS = 8

/**
 * Checks the signing keys, makes the first ones of new realms, and brings clients and users in line with the configuration.
 * @returns What changed, by realm id.
 * @throws ConfigError, before any client or user is written; StorageError
 */
export async function prepareRealms(
  { config, provider, audit, users: entered }: ConfiguredParts,
  { storage: opened, now }: Pick<PartsDependencies, 'storage' | 'now'>,
): Promise<Record<string, SyncReport>> {
  const stores = { ...opened, users: entered }
  const { users, factors } = audit?.stores(stores, CONFIGURATION) ?? stores
  const storage = audit?.storage(opened.storage, CONFIGURATION) ?? opened.storage
  const ids = realmIds(config)
  const with_keys = new Set((await opened.figures?.newest_keys())?.map(({ realm }) => realm))
  const prepared = ids.filter((realm, index) => index < MAX_FIRST_KEYS || with_keys.has(realm))
  await inParallel(prepared, MAX_PARALLEL_REALMS, (realm) => prepareKeys(realm, { config, provider }))
  const rules = new Map<string, PasswordRules | null>()
  for (const id of Object.keys(config.realms)) rules.set(id, await realmPasswordRules(config, id))
  const passkeys = new Map<string, SignInSettings['passkeys']>()
  for (const id of ids.filter((realm) => config.realms[realm]?.users.length))
    passkeys.set(id, await realmPasskeys(config, provider, id))
  const storesOf = (realm: string) => ({
    password_rules: rules.get(realm) ?? null,
    passkeys: passkeys.get(realm) ?? null,
    clients: storage(realm).clients,
    users: users(realm),
    factors: factors(realm),
  })
  return syncRealms(config.realms, storesOf, now)
}

/** With another secret than the one that encrypted the stored keys, every request would fail: the start fails instead. */
async function prepareKeys(
  realm: string,
  { config, provider }: Pick<ConfiguredParts, 'config' | 'provider'>,
): Promise<void> {
  try {
    await (await provider.manage(realm)).keys.ready()
  } catch (cause) {
    if (cause instanceof SealedKeyError) throw lostSecretError(cause, config)
    throw cause
  }
}
