/** createAddresses: one of the option `extensions` of createIdentity. */

import { refuseFaults } from '@ostiary/core/common'
import type { Extension, Mails, UserVisit } from '@ostiary/identity'
import { act } from './account.js'
import { answerLink } from './answer.js'
import { PATH } from './link.js'
import { section } from './section.js'

/** Who changes the address in a realm. */
export interface AddressSettings {
  /** Whether users change and verify their email address. */
  email_change: boolean
}

/** The options of `createAddresses`. */
export interface AddressOptions {
  /** The settings of each realm, by its id. In a realm that is absent, operators change addresses. */
  realms: Readonly<Record<string, AddressSettings>>
}

/**
 * Lets users change and verify their email address on the account page. The realm needs mail.
 * @throws ConfigError that names every fault of the settings.
 *
 * @example
 * ```ts
 * import { createAddresses } from '@ostiary/addresses'
 *
 * // One of the option `extensions` of createIdentity, which needs `mail` too.
 * export const addresses = createAddresses({ realms: { default: { email_change: true } } })
 * ```
 */
export function createAddresses({ realms }: AddressOptions): Extension {
  refuseFaults(
    Object.entries(realms)
      .filter(([, settings]) => typeof settings?.email_change !== 'boolean')
      .map(([realm]) => ({ path: `realms.${realm}.email_change`, message: 'give true or false' })),
  )
  const offers = (realm: string) => Object.hasOwn(realms, realm) && realms[realm]?.email_change === true
  // The address of a user who signs in at another provider says that the user does: another one would be a way around it.
  const mayChange = <Visit extends UserVisit>(c: Visit): c is Visit & { mails: Mails } =>
    c.mails !== null && offers(c.realm.id) && !c.isElsewhere(c.user)
  return {
    name: 'address',
    methods: (realm, path) => (path === PATH && offers(realm) ? ['GET', 'HEAD', 'POST'] : []),
    answer: answerLink,
    section: async (c) => (mayChange(c) ? section(c, c.mails) : null),
    act: async (c, action, params) => (mayChange(c) ? act(c, c.mails, { action, params }) : null),
  }
}
