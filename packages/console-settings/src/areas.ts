/** The areas of this package. */

import type { PageArea } from '@ostiary/console'
import { keysPage } from './keys/pages.js'
import { mailPage } from './mail/pages.js'
import { rolesPage } from './roles/pages.js'
import { own } from './visit.js'

/** The pages of signing keys, of roles, and of mails, for `areas` of `createConsole`. */
export const settingsAreas: readonly PageArea[] = [
  {
    name: 'keys',
    title: ['Keys', 'Schlüssel', 'Clés'],
    needs: 'keys',
    answer: (c, parts) => keysPage(own(c), parts),
  },
  {
    name: 'roles',
    title: ['Roles', 'Rollen', 'Rôles'],
    needs: 'roles',
    answer: (c, parts) => rolesPage(own(c), parts),
  },
  {
    name: 'mail',
    title: ['Mail', 'E-Mails', 'E-mails'],
    needs: 'users',
    answer: (c, parts) => mailPage(own(c), parts),
  },
]
