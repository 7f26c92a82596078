/** The settings of a realm without which a field of a client has no effect. */

import type { ClientFieldSwitch } from './field.js'

export const NEEDS_DPOP: ClientFieldSwitch = {
  what: 'DPoP is',
  key: 'oidc.dpop to "on"',
  is_on: ({ policy }) => policy.proofs !== null,
}

export const NEEDS_PUSHED_REQUESTS: ClientFieldSwitch = {
  what: 'pushed authorization requests are',
  key: 'oidc.par to "allowed"',
  is_on: ({ policy }) => policy.pushed !== 'off',
}
