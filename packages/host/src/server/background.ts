/** What a server does in the background. */

import type { AccountDeletion } from '@ostiary/account-deletion'
import type { Audit } from '@ostiary/audit'
import type { Sinks } from '@ostiary/audit-sinks'
import type { Provider } from '@ostiary/core'
import type { EmailSignIn } from '@ostiary/email-sign-in'
import type { Identity } from '@ostiary/identity'
import type { HostConfig } from '../config/host-config.js'
import { realmIds } from '../config/realm-ids.js'
import { errorFields, type Log } from '../log/log.js'
import type { HostRealms } from '../storage/run-time-realms.js'
import type { composeProvider } from './compose-provider.js'

/** Logouts, mails and deletions that are under way. */
export interface BackgroundWork {
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
  /** Starts no more. Resolves when nothing is under way. */
  stop(): Promise<void>
}

/** The work of one server at a time. */
interface TickedWork extends BackgroundWork {
  tick: Provider['tick']
}

/** Null for what the configuration does not turn on. */
interface Workers {
  provider: Provider
  identity: Identity
  mails: ReturnType<typeof composeProvider>['mails']
  audit: Audit | null
  sinks: Sinks | null
  filling: ReturnType<EmailSignIn['filling']> | undefined
  deletion: AccountDeletion | null
  keysOf: Parameters<Audit['tick']>[1]
  realms: HostRealms | null
}

export function backgroundWork(
  { provider, identity, mails, audit, sinks, filling, deletion, keysOf, realms }: Workers,
  { config, now, log }: { config: HostConfig; now: () => number; log: Log },
): TickedWork {
  const configured = realmIds(config)
  const failed = (error: unknown) => log.error('an account is not deleted', errorFields(error))
  return {
    async tick() {
      const ids = (await realms?.ids()) ?? configured
      filling?.start()
      sinks?.start(ids)
      identity.mail?.start(provider)
      deletion?.due.start(provider, { now, failed })
      realms?.purge.start()
      const report = await provider.tick()
      await audit?.tick(ids, keysOf)
      return report
    },
    async settled() {
      const works = [provider, identity.mail, deletion?.due, sinks, realms?.purge]
      await Promise.all([...works.map((work) => work?.settled()), audit?.flush()])
    },
    async stop() {
      const works = [provider, identity.mail, filling, deletion?.due, sinks, realms]
      await Promise.all(works.map((work) => work?.stop()))
      await mails?.close()
      await audit?.stop()
    },
  }
}
