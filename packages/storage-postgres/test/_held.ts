/** The stores of this package within a transaction that is held open. */

import { executorIn } from '@ostiary/test-kit/database/held'
import { postgresStorage, type Queries } from '../src/index.js'

export { executorIn, type HeldTransaction, hold, untilItWaits } from '@ostiary/test-kit/database/held'

/** The storage, within a transaction. */
export const storageIn = (tx: Queries) => postgresStorage(executorIn(tx))

/** The stores of a realm, within a transaction. */
export const storesIn = (tx: Queries, realm: string) => storageIn(tx)(realm)
