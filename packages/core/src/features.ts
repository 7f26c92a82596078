/** Every optional capability, once. Routes, grant types and provider metadata follow from it. */

import { clientDocuments } from './features/client-documents/feature.js'
import { clientKeys } from './features/client-keys/feature.js'
import { device } from './features/device/feature.js'
import { exchange } from './features/exchange/feature.js'
import type { Feature } from './features/feature.js'
import { introspection } from './features/introspection.js'
import { logout } from './features/logout/feature.js'
import { par } from './features/par/feature.js'
import { registration } from './features/registration/feature.js'
import { revocation } from './features/revocation.js'
import { userinfo } from './features/userinfo.js'
import type { RealmRules } from './realm/realm.js'

export const FEATURES: readonly Feature[] = [
  par,
  registration,
  userinfo,
  logout,
  introspection,
  revocation,
  exchange,
  device,
  clientDocuments,
  clientKeys,
]

/** Those that the realm has. */
export const featuresOf = (realm: RealmRules): Feature[] =>
  FEATURES.filter((feature) => feature.enabled(realm))
