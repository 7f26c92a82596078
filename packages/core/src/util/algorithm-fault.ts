/** An algorithm that is chosen somewhere must be one of the realm: `oidc.keys.algorithms`. */

import type { SigningAlgorithm } from '../storage/records.js'
import type { AlgorithmSettings } from './signing-algorithms.js'

/** What is wrong with it, or null. */
export const algorithmFault = (
  { algorithms }: AlgorithmSettings,
  chosen: SigningAlgorithm | undefined,
): string | null =>
  chosen === undefined || algorithms.includes(chosen)
    ? null
    : `${chosen} is not in oidc.keys.algorithms (${algorithms.join(', ')}): add it there, or choose one of them`
