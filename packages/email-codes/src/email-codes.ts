/** createEmailCodes: one of the option `extensions` of createIdentity. */

import { refuseFaults } from '@ostiary/core/common'
import type { Extension, Visit } from '@ostiary/identity'
import { answer } from './answer.js'
import { button, form, PATH, section } from './pages.js'

/** The options of `createEmailCodes`. */
export interface EmailCodesOptions {
  /** The ids of the realms in which users sign in with a mailed code. */
  realms: readonly string[]
}

/**
 * Lets users sign in with a code that is mailed to their verified address. The option `mail` of `createIdentity` is required.
 * @throws ConfigError when `realms` is no list of ids.
 *
 * @example
 * ```ts
 * import { createEmailCodes } from '@ostiary/email-codes'
 *
 * // One of the option `extensions` of createIdentity, which needs `mail` too.
 * export const email_codes = createEmailCodes({ realms: ['default'] })
 * ```
 */
export function createEmailCodes({ realms }: EmailCodesOptions): Extension {
  const is_list = Array.isArray(realms) && realms.every((id) => typeof id === 'string')
  refuseFaults(is_list ? [] : [{ path: 'realms', message: "give a list of the ids of realms: ['default']" }])
  const offered = new Set(realms)
  const isOffered = ({ realm, mails }: Visit) => mails !== null && offered.has(realm.id)
  return {
    name: 'email-code',
    methods: (realm, path) => (path === PATH && offered.has(realm) ? ['GET', 'HEAD', 'POST'] : []),
    answer,
    offers: (realm) => (offered.has(realm) ? [{ way: 'email-code', name: null }] : []),
    typed: (c) => (isOffered(c) ? button(c) : null),
    buttons: (c, fields, username) =>
      username !== null && isOffered(c) ? form(c, { fields, username }) : null,
    section: async (c) => (isOffered(c) ? section(c) : null),
  }
}
