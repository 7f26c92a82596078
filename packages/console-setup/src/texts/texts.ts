/** The texts of these pages. */

import { REGISTRATION } from './registration.js'
import { UPSTREAMS } from './upstreams.js'

export const TEXTS = {
  word: {
    yes: ['Yes', 'Ja', 'Oui'],
    no: ['No', 'Nein', 'Non'],
    on: ['On', 'An', 'Activé'],
    off: ['Off', 'Aus', 'Désactivé'],
  },
  ...UPSTREAMS,
  ...REGISTRATION,
} as const
