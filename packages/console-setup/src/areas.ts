/** The areas of this package. */

import type { PageArea } from '@ostiary/console'
import { registrationPages } from './registration/pages.js'
import { upstreamPages } from './upstreams/pages.js'
import { own } from './visit.js'

/** The pages of other providers, and of clients that register themselves, for `areas` of `createConsole`. */
export const setupAreas: readonly PageArea[] = [
  {
    name: 'upstreams',
    title: ['Upstreams', 'Anbieter', 'Fournisseurs'],
    needs: 'realms',
    answer: (c, parts) => upstreamPages(own(c), parts),
  },
  {
    name: 'registration',
    title: ['Registration', 'Registrierung', 'Enregistrement'],
    needs: 'clients',
    answer: (c, parts) => registrationPages(own(c), parts),
  },
]
