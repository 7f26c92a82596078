/** createRecovery: what the option `recovery` of createIdentity takes. */

import { refuseFaults } from '@ostiary/core/common'
import type { MailRecovery } from '@ostiary/identity'
import { begin, cancel, endInSession, postCode, startWaiting } from './acts.js'
import { askedLetter } from './letters.js'
import { notBefore } from './link.js'
import { waitingNote } from './pages.js'
import { DEFAULT_DELAY, type RecoverySettings, recoveryFaults } from './settings.js'
import { show } from './show.js'

/** The options of `createRecovery`. */
export interface RecoveryOptions {
  /** How users of each realm get in again, by its id. In a realm that is absent, an operator lets them in. */
  realms: Readonly<Record<string, RecoverySettings>>
}

/**
 * Lets users in again who have lost their passkeys or codes: with a mail and a recovery code, or with a mail after a delay that their owner
 * sees.
 * @throws ConfigError that names every fault of the settings.
 *
 * @example
 * ```ts
 * import { createRecovery } from '@ostiary/recovery'
 *
 * // The option `recovery` of createIdentity, which needs `mail` and `factors` too.
 * export const recovery = createRecovery({ realms: { default: { mail: true, delay: 86_400 } } })
 * ```
 */
export function createRecovery({ realms }: RecoveryOptions): MailRecovery {
  const faults = Object.entries(realms).flatMap(([realm, settings]) =>
    recoveryFaults(settings).map(({ path, message }) => ({ path: `realms.${realm}.${path}`, message })),
  )
  refuseFaults(faults)
  const settingsOf = (realm: string): RecoverySettings =>
    (Object.hasOwn(realms, realm) && realms[realm]) || { mail: false }
  return {
    offered: (realm) => settingsOf(realm).mail,
    letter: askedLetter,
    async answer(c) {
      const { delay = DEFAULT_DELAY } = settingsOf(c.realm.id)
      if (c.request.method !== 'POST') return show(c, delay)
      const form = await c.form()
      if (form instanceof Response) return form
      const field = (name: string) => form.get(name) ?? ''
      const refused = c.isConfirmed(field('csrf_token'))
        ? null
        : { text: c.text('sign_in.not_confirmed'), status: 403 }
      if (refused !== null) c.emit({ type: 'recovery.refused', reason: 'csrf', sub: null })
      const posted = { form, field, refused, delay }
      switch (field('action')) {
        case 'code':
          return postCode(c, posted)
        case 'wait':
          return startWaiting(c, posted)
        case 'begin':
          return begin(c, posted)
        case 'cancel':
          return cancel(c, posted)
        default:
          return endInSession(c, posted)
      }
    },
    async banner(c, user) {
      const waiting = await c.waiting(user)
      if (waiting === null) return null
      return waitingNote(c, { time: c.time(notBefore(waiting), user), waits: waiting.ticket_hash })
    },
  }
}
