/** Functions of core for the operations of other packages, which load no second core. */

import {
  clientFields,
  clientInput,
  createProvider,
  readBy,
  standardClaims,
  withoutProtocolClaims,
} from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'

export const CORE = {
  clientFields,
  clientInput,
  createProvider,
  memoryStorage,
  readBy,
  standardClaims,
  withoutProtocolClaims,
}
