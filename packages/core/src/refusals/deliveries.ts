/** The catalog: why a back-channel logout was not confirmed by its receiver. */

import type { DeliveryReason } from './names.js'
import type { ReasonRow } from './reason.js'

export const DELIVERY_REASONS: Readonly<Record<DeliveryReason, ReasonRow>> = {
  delivery_status: {
    hint: 'The backchannel_logout_uri answered with another status than 2xx: look at the log of the application.',
  },
  delivery_timeout: {
    hint: 'The backchannel_logout_uri gave no answer within its time: the application answers first, and works afterwards.',
  },
  delivery_stopped: {
    hint: 'This server was stopped during the delivery: it is tried again.',
  },
  delivery_revoked_client: {
    hint: 'The client was revoked after the session began: it gets no logout token.',
  },
  delivery_forbidden_address: {
    hint: 'The host of backchannel_logout_uri has an address in a private network: publish it at a public one, or list its host and port in backchannel.private_hosts.',
  },
  delivery_failed: {
    hint: 'The host of backchannel_logout_uri cannot be reached: check its name, its port and its certificate.',
  },
}
