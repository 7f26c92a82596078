/** The configuration of a server, as the other parts of the host take it. */

import type { AddressSettings } from '@ostiary/addresses'
import type { AdminSettings } from '@ostiary/admin'
import type { AuditSettings } from '@ostiary/audit'
import type { SinkSettings } from '@ostiary/audit-sinks'
import type { ConfigFault, OidcConfig } from '@ostiary/core'
import type { LanguagesOptions, LoginLimits, Theme } from '@ostiary/identity'
import type { RecoverySettings } from '@ostiary/recovery'
import type { SignUpSettings } from '@ostiary/sign-up'
import type { TermsSettings } from '@ostiary/terms'
import type { RealmUpstreams } from '@ostiary/upstream'
import type { AdminListen } from './admin/admin-settings.js'
import type { RealmEntries } from './entries.js'
import type { LogSettings } from './log-settings.js'
import type { PasswordSettings } from './password-settings.js'
import type { AccessSettings } from './realms/access.js'
import type { ServerSettings } from './server-settings.js'
import type { StorageChoice } from './storage-choice.js'
import type { TryOut } from './try-out.js'

/** The configuration of a server, read and checked. Times are in seconds where the name does not say otherwise. */
export interface HostConfig {
  /** The port to listen on. */
  port: number
  /** The address to listen on. */
  host: string
  /** Seals the signing keys and signs forms. */
  secret: string
  /** The secret before its last change. */
  previous_secret?: string
  /** The origin of all URLs, whichever setting it came from. */
  issuer: string
  /** The `oidc.*` keys. */
  oidc: OidcConfig
  /** Used when `oidc.issuer` is absent. */
  app_url?: string
  /** Clients and users, by realm id. */
  realms: Record<string, RealmEntries>
  /** Whether there are realms in the database, beside those of `oidc`. */
  realms_at_run_time?: true
  /** The rules of new passwords, by the id of each realm that has some. */
  password_rules?: Record<string, PasswordSettings>
  /** The other providers at which users sign in, by the id of each realm that has some. */
  upstreams?: Record<string, RealmUpstreams>
  /** The realms with mailed codes. */
  email_codes?: string[]
  /** The realms with sign-in by address. */
  sign_in_with?: string[]
  /** How users get in again by mail, by the id of each realm in which they do. */
  recovery?: Record<string, RecoverySettings>
  /** Whether users change their email address, by the id of each realm in which they do. */
  addresses?: Record<string, AddressSettings>
  /** Who makes an account by themselves, by the id of each realm in which users do. */
  sign_up?: Record<string, SignUpSettings>
  /** The terms of service that users accept, by the id of each realm that has some. */
  terms?: Record<string, TermsSettings>
  /** About users who may not use an application, by the id of each realm that has settings. */
  access?: Record<string, AccessSettings>
  /** The realms whose users delete their own account. */
  account_deletion?: string[]
  /** Name, logo and colors of the pages. */
  theme?: Theme
  /** The languages of the pages, beside the built-in ones. */
  languages?: LanguagesOptions
  /** False: there is no account page. */
  account?: boolean
  /** How many failed sign-ins are allowed; identity's defaults when absent. */
  login?: LoginLimits
  /** What the log shows; the defaults when absent. */
  log?: LogSettings
  /** What is kept of events and changes; nothing when absent. */
  audit?: AuditSettings
  /** Where rows of the audit are sent; nowhere when absent. */
  audit_sinks?: SinkSettings[]
  /** Who administers with the admin API; there is none when absent. */
  admin?: AdminSettings
  /** Where the admin API is; on the port of the server when absent. */
  admin_listen?: AdminListen
  /** Whether administrators have pages, too. */
  admin_console?: true
  /** Why they have none, where the configuration does not say whether they do. */
  admin_console_fault?: ConfigFault
  /** IP addresses and CIDR ranges of proxies whose `X-Forwarded-For` is read. */
  trusted_proxies: string[]
  /** Where logout tokens may be sent. */
  backchannel: {
    /** `host:port` of receivers of an operator's clients that may have an address in a private network. */
    private_hosts: string[]
  }
  /** Limits, workers, metrics and logs of the server. */
  server: ServerSettings
  /** Where the records are stored. */
  storage: StorageChoice
  /** The path of the configuration file; null when there is none. */
  file: string | null
  /** Set in try-out mode, which needs no configuration file. */
  try_out: TryOut | null
}

/** A configuration before `checkConfig`, which determines the issuer. */
export type UncheckedConfig = Omit<HostConfig, 'issuer'>
