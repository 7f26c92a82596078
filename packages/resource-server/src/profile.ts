/** `profile: 'fapi2'`: what the FAPI 2.0 Security Profile permits an API to accept (§5.3.4, §5.4.1). */

import type { SignatureAlgorithm } from './algorithms.js'
import { DPOP_ALGORITHMS } from './dpop/proof.js'
import type { ResourceServerOptions } from './options.js'

type Options = Pick<ResourceServerOptions<unknown, unknown>, 'profile' | 'algorithms' | 'dpop'>

const ALGORITHMS: readonly SignatureAlgorithm[] = ['PS256', 'ES256', 'EdDSA']

export const FAPI2_DEFAULTS = {
  algorithms: ALGORITHMS,
  dpop: { required: true, algorithms: DPOP_ALGORITHMS.filter((name) => name !== 'RS256') },
}

/** The settings that are weaker than the profile. */
const RULES: readonly { fault: string; applies(options: Options): boolean }[] = [
  {
    fault: "algorithms: profile 'fapi2' excludes RS256; leave algorithms out, or list PS256, ES256 or EdDSA",
    applies: ({ algorithms }) => includesRs256(algorithms),
  },
  {
    fault:
      "dpop.algorithms: profile 'fapi2' excludes RS256; leave dpop.algorithms out, or take RS256 out of it",
    applies: ({ dpop }) => includesRs256(dpop?.algorithms),
  },
  {
    fault: "dpop.required: profile 'fapi2' needs true; leave dpop.required out",
    applies: ({ dpop }) => dpop?.required === false,
  },
  {
    fault:
      "dpop.replay: profile 'fapi2' needs it; give a store that all servers of the API share, so that no proof is used twice",
    applies: ({ dpop }) => !dpop?.replay,
  },
]

/** A value of another type has a fault of its own. */
const includesRs256 = (list: unknown): boolean => Array.isArray(list) && list.includes('RS256')

export const fapi2Faults = (options: Options): string[] =>
  options.profile === 'fapi2' ? RULES.filter(({ applies }) => applies(options)).map(({ fault }) => fault) : []
