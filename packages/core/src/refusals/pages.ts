/** The catalog: why a sign-in or a form of the account page is refused. What was typed there is never logged. */

import type { PageReason } from './names.js'
import type { Reason } from './reason.js'

export const PAGE_REASONS: Readonly<Record<PageReason, Reason>> = {
  login_unknown_user: {
    sent: null,
    hint: 'No user has this username: the person mistyped it, or the user is to be created (user create).',
  },
  login_throttled: {
    sent: null,
    hint: 'Too many failed sign-ins, by the limit that the event names. To reset its counter: throttle reset.',
  },
  wrong_password: {
    sent: null,
    hint: 'The password is not that of the user. To set another one: user set-password.',
  },
  disabled: { sent: null, hint: 'The user is disabled: user enable lets the user sign in again.' },
  no_password: {
    sent: null,
    hint: 'The user has no password: set one with user set-password, or password_env in the configuration.',
  },
  busy: {
    sent: null,
    hint: 'Too many passwords are being checked at once: the server needs more cores, or is being attacked.',
  },
  csrf: {
    sent: null,
    hint: 'The form does not belong to this browser: cookies are blocked, the page was open in another session, or the address in the browser is not oidc.issuer.',
  },
  changed_meanwhile: {
    sent: null,
    hint: 'The user was changed by another request at the same time: try again.',
  },
}
