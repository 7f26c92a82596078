/** What all simulations of a realm are made of. */

import type { ProviderOptions } from '@ostiary/core'
import type { CoreFunctions } from './place/place.js'

export interface SimulationSource {
  core: CoreFunctions
  /** Those of the real provider. Nothing of it is written, sent or reported. */
  provider: ProviderOptions
  realm: string
  /** Random, and of the simulations of this process alone. */
  secret: string
}
