/** Functions of core for simulations, which load no second core. */

import { createProvider, standardClaims, withoutProtocolClaims } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'

export const CORE = {
  createProvider,
  memoryStorage,
  standardClaims,
  withoutProtocolClaims,
}
