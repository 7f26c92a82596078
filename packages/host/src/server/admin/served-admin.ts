/** The admin API of a server, where the configuration has one. Its package is loaded then. */

import type { Audit } from '@ostiary/audit'
import type { OidcEvent, Provider, ProviderOptions } from '@ostiary/core'
import type { EmailSignIn } from '@ostiary/email-sign-in'
import {
  createUser,
  type Extension,
  type Identity,
  type IdentityEvent,
  type PasswordHasher,
  passkeysFor,
  setDisabled,
  setPassword,
  type Users,
  updateUser,
  usernameKey,
} from '@ostiary/identity'
import type { MailOptions } from '@ostiary/identity/mail'
import type { RealmSources } from '@ostiary/realm-operations'
import { hasConsole } from '../../config/admin/has-console.js'
import { hasPasswords } from '../../config/has-passwords.js'
import type { HostConfig } from '../../config/host-config.js'
import { realmIds } from '../../config/realm-ids.js'
import { programVersion } from '../../config/version.js'
import { errorFields, type Log } from '../../log/log.js'
import { type RequestSender, trustedProxies } from '../../network/client-address.js'
import type { HostStorage } from '../../storage/host-storage.js'
import { isOutage } from '../../storage/outage.js'
import { type HostRealms, identityOf } from '../../storage/run-time-realms.js'
import { realmPasswordRules } from '../password-rules.js'
import type { CheckedRequest } from '../request-handler.js'
import { notFound } from '../responses.js'
import { CORE } from './core.js'
import { partFunctions } from './part-functions.js'
import type { ConsoleParts } from './served-console.js'
import { upstreamReader } from './upstreams.js'

/** Answers at the paths of the API. */
export interface ServedAdmin {
  /** Null for a request to another path. */
  fetch(request: CheckedRequest): Promise<Response> | null
}

export interface AdminParts {
  storage: HostStorage
  /** Whose changes have no rows. */
  provider: Provider
  /** Of the provider. */
  options: ProviderOptions
  identity: Identity
  extensions: readonly Extension[] | undefined
  /** Each change of a user goes through them, and has no row. */
  users: Users
  audit: Audit | null
  by_email: EmailSignIn | null
  /** Null when no realm mails. */
  mail: MailOptions | null
  /** Hashes passwords. */
  passwords: PasswordHasher
  on_event: (event: OidcEvent | IdentityEvent) => void
  /** Epoch seconds. */
  now: () => number
  log: Log
  /** As `/readyz` answers. */
  readiness: RealmSources['readiness']
  /** Null without `realms_at_run_time`. */
  realms: HostRealms | null
}

/** Null without `admin.enabled`. */
export async function adminOf(config: HostConfig, parts: AdminParts): Promise<ServedAdmin | null> {
  const { admin: settings, admin_listen, secret, previous_secret, realms, issuer, oidc } = config
  if (settings === undefined) return null
  const { ADMIN_PATH, createAdmin, openRoleStore, realmParts } = await import('@ostiary/admin')
  const { storage, provider, users, audit, passwords, on_event, now, log } = parts
  const stores = { ...storage, users }
  const identity = identityOf(config, parts.realms)
  const roles = openRoleStore(storage)
  const common = {
    secret,
    now,
    failed: (cause: unknown, request_id: string) =>
      log.error('request failed', { request_id, ...errorFields(cause) }),
    unavailable: isOutage,
  }
  const admin = createAdmin({
    settings,
    origin: issuer,
    by_path: oidc.routes?.realms === 'path',
    realms: knownRealms(config, parts.realms),
    provider,
    roles,
    users,
    identity: { createUser, updateUser, setDisabled, setPassword, usernameKey },
    passwords: async (realm) => {
      if (!hasPasswords(identity(realm))) return null
      return { passwords, password_rules: await realmPasswordRules(config, realm, parts.realms) }
    },
    audit: audit && {
      store: audit.store,
      as(actor, request_id) {
        const by = audit.as(actor, request_id)
        return { ...by, users: by.stores(stores).users }
      },
    },
    parts: realmParts({
      ...parts,
      secret,
      previous_secret,
      stores,
      storage: storage.storage,
      records: storage.records,
      identity,
      upstreams: (realm) => upstreamReader(config, realm),
      functions: partFunctions(config, { ...storage, now }),
    }),
    operations: [...(await furtherOperations(parts)), ...(await realmAdministrationOf(parts.realms))],
    configured: (realm) => realms[realm] ?? { clients: [], users: [] },
    throttle: storage.storage(settings.realm).throttle,
    ...common,
    on_event,
  })
  const isAllowed = allowedSenders(settings.allowed_addresses)
  const served_console = lazyConsole(config, { ...parts, admin, roles, common })
  return {
    fetch(checked) {
      const { request, path, sender, body, request_id, admin_port } = checked
      if (!admin.owns(path)) {
        const pages = admin_listen === undefined || admin_port ? served_console(path) : null
        return pages && (isAllowed(sender) ? pages(checked) : Promise.resolve(notFound()))
      }
      // The metadata stays on the port of the server.
      if (admin_listen !== undefined && admin_port !== path.startsWith(ADMIN_PATH)) return null
      return isAllowed(sender) ? admin.fetch(request, { body, request_id }) : Promise.resolve(notFound())
    },
  }
}

/** What other packages add to the API. */
async function furtherOperations(parts: AdminParts) {
  const { simulationOperations } = await import('@ostiary/simulation')
  const { realmOperations } = await import('@ostiary/realm-operations')
  const { auditOperations } = await import('@ostiary/admin-commands/api')
  const { storage, audit, options: provider, extensions = [], readiness, mail } = parts
  return [
    ...simulationOperations({ core: CORE, provider, extensions, passkeysFor }),
    ...realmOperations({
      version: programVersion(),
      readiness,
      records: storage.records,
      schema: storage.figures?.schema ?? null,
      mail,
      throttle: (realm) => storage.storage(realm).throttle,
    }),
    ...auditOperations({ core: CORE, store: audit?.store ?? null, stores: storage }),
  ]
}

/** The ids of the configuration, and what says whether a realm was made at run time and is not deleted. */
function knownRealms(config: HostConfig, realms: HostRealms | null) {
  const configured = realmIds(config)
  if (realms === null) return configured
  return async (id: string) => {
    if (configured.includes(id)) return true
    const record = await realms.store.find(id)
    if (record === null || record.disabled_at !== null) return false
    // Another process has just made it.
    if ((await realms.lookUp(id)) === null) realms.changed(id)
    return true
  }
}

async function realmAdministrationOf(realms: HostRealms | null) {
  if (realms === null) return []
  return [(await import('@ostiary/realms/api')).realmAdministration({ realms, count: realms.count })]
}

type Pages = (checked: CheckedRequest) => Promise<Response>

/** The pages at a path; null for a path of no page, and without `admin.console`. Their package is loaded with the first request. */
function lazyConsole(config: HostConfig, parts: ConsoleParts): (path: string) => Pages | null {
  let opened: Promise<Pages> | undefined
  return (path) => {
    if (!isPage(path) || !hasConsole(config)) return null
    opened ??= import('./served-console.js').then(({ consoleOf }) => consoleOf(config, parts))
    const pages = opened
    return async (checked) => (await pages)(checked)
  }
}

/** Below the addresses of other versions of the API there is no page. */
const isPage = (path: string): boolean =>
  path === '/admin' || (path.startsWith('/admin/') && !`${path}/`.startsWith('/admin/api/'))

/** An address that a peer only claims is not looked at. */
function allowedSenders(ranges: readonly string[]): (sender: RequestSender) => boolean {
  if (ranges.length === 0) return () => true
  const allowed = trustedProxies(ranges)
  return ({ address, peer }) => peer === undefined && allowed.trusts(address)
}
