/** What a realm that mails has. The rest of this folder is loaded with its first page or mail. */

import { deliverEvent, type Provider, type Realm, type Throttle } from '@ostiary/core'
import type { IdentityEventSink } from '../events.js'
import { MAIL_USE } from '../outbox/mail-content.js'
import type { MailDelivery, MailOptions } from '../outbox/mail-options.js'
import type { Languages } from '../pages/languages.js'
import type { Theme } from '../pages/theme.js'
import type { SignInSettings } from '../settings.js'
import type { MailParts } from '../sign-in/context.js'
import type { Extension } from '../sign-in/extensions/seam.js'
import type { MailRecovery } from '../sign-in/regain/seam.js'
import type { Factors } from '../users/factor-store.js'
import type { Tickets } from '../users/ticket-store.js'
import type { Users } from '../users/user-store.js'
import type { KeyedHash } from '../web/keyed-hash.js'
import { createSealer } from '../web/sealed.js'
import type { createMailSender, MailSender } from './delivery.js'

interface MailPartsOptions {
  mail?: MailOptions
  tickets?: Tickets
  users: Users
  factors?: Factors
  recovery?: MailRecovery
  extensions: readonly { ways: Extension }[]
  theme?: Theme
  languages: Languages
  throttle: (realm: string) => Throttle
  /** Of the keys of counters. */
  hash: KeyedHash
  settings: (realm: Realm) => SignInSettings | null
  secret: string
  previous_secret?: string
  on_event?: IdentityEventSink
  now: () => number
  /** Loads what queues and sends. */
  load: () => Promise<{ createMailSender: typeof createMailSender; sendToAddress: MailParts['sendTo'] }>
}

export interface RealmMailParts {
  /** Null for a realm that mails nothing. */
  of(realm: Realm, provider: Provider): MailParts | null
  delivery: MailDelivery
}

/** Null without mail. */
export function createMailParts(options: MailPartsOptions): RealmMailParts | null {
  const { mail, tickets, throttle, hash } = options
  if (mail === undefined || tickets === undefined) return null
  const sealer = createSealer(options, MAIL_USE)
  const delivery = lazyDelivery(() => mailSenderOf({ ...options, mail, tickets, sealer }))
  return {
    delivery,
    of(realm, provider) {
      const settings = mail.of(realm.id)
      if (settings === null) return null
      return {
        queue: mail.queue,
        settings,
        sealer,
        throttle: throttle(realm.id),
        hash,
        start: () => delivery.start(provider),
        sendTo: async (c, one) => (await options.load()).sendToAddress(c, one),
      }
    },
  }
}

type MailSenderOptions = MailPartsOptions & {
  mail: MailOptions
  tickets: Tickets
  sealer: ReturnType<typeof createSealer>
}

async function mailSenderOf(options: MailSenderOptions): Promise<MailSender> {
  const { on_event, now, theme = {}, factors = null } = options
  const { createMailSender } = await options.load()
  return createMailSender({
    ...options,
    factors,
    theme,
    emit: (realm, event) => deliverEvent(on_event, { ...event, time: now(), realm }),
  })
}

function lazyDelivery(load: () => Promise<MailSender>): MailDelivery {
  let sender: Promise<MailSender> | null = null
  let is_stopped = false
  return {
    start(provider) {
      if (is_stopped) return
      sender ??= load()
      void sender.then((loaded) => loaded.start(provider))
    },
    async settled() {
      await (await sender)?.settled()
    },
    async stop() {
      is_stopped = true
      await (await sender)?.stop()
    },
  }
}
