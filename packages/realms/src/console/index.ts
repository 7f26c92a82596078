/** The pages of the console about realms that are made at run time, for `areas` of `createConsole`. */

import type { PageArea } from '@ostiary/console'
import { realmsPage } from './pages.js'
import { own } from './visit.js'

/** Lists realms, makes, changes and deletes them. */
export const realmsArea: PageArea = {
  name: 'realms',
  title: ['Realms', 'Realms', 'Domaines'],
  needs: 'realms',
  answer: (c, parts) => realmsPage(own(c), parts),
  // A text of settings has more lines than a list of addresses.
  style: 'textarea#settings{min-height:20rem;font-family:ui-monospace,monospace}',
}
