/** The catalog: why a back-channel logout was not confirmed by its receiver. */

import type { DeliveryReason } from './names.js'
import type { Reason } from './reason.js'

export const DELIVERY_REASONS: Readonly<Record<DeliveryReason, Reason>> = {
  delivery_status: {
    sent: null,
    hint: 'The backchannel_logout_uri answered with another status than 2xx: look at the log of the application.',
  },
  delivery_timeout: {
    sent: null,
    hint: 'The backchannel_logout_uri gave no answer within its time: the application answers first, and works afterwards.',
  },
  delivery_stopped: {
    sent: null,
    hint: 'This server was stopped during the delivery: it is tried again.',
  },
  delivery_revoked_client: {
    sent: null,
    hint: 'The client was revoked after the session began: it gets no logout token.',
  },
  delivery_forbidden_address: {
    sent: null,
    hint: 'The host of backchannel_logout_uri has an address in a private network: publish it at a public one, or list its host and port in backchannel.private_hosts.',
  },
  delivery_failed: {
    sent: null,
    hint: 'The host of backchannel_logout_uri cannot be reached: check its name, its port and its certificate.',
  },
}
