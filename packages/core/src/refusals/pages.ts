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
  expired_ticket: {
    sent: null,
    hint: 'A link is good for one hour. Make another: ostiary user recovery-link.',
  },
  unknown_ticket: {
    sent: null,
    hint: 'The link was used, or a newer one made. Make another: ostiary user recovery-link.',
  },
  last_way_in: {
    sent: null,
    hint: 'The user wanted to remove the only way to sign in, or the only second factor where the realm requires one: add another one first.',
  },
  wrong_code: {
    sent: null,
    hint: 'The code is wrong. If those of an app are always wrong, the clock of the phone or of this server is not right.',
  },
  code_reused: {
    sent: null,
    hint: 'Another request has used the same code at the same moment: wait for the next one.',
  },
  passkey_unknown: {
    sent: null,
    hint: 'This realm has no such passkey: the user has removed it, or is disabled. The browser may still have it.',
  },
  passkey_malformed: {
    sent: null,
    hint: 'The browser sent no answer of a passkey.',
  },
  passkey_type: {
    sent: null,
    hint: 'The answer belongs to the creation of a passkey, or the reverse.',
  },
  passkey_challenge: {
    sent: null,
    hint: 'The page was open for more than five minutes, or the answer was sent before or from another page: try again.',
  },
  passkey_origin: {
    sent: null,
    hint: 'The passkey was used on another origin than that of oidc.issuer, or in a frame. Compare the address in the browser with oidc.issuer.',
  },
  passkey_rp_id: {
    sent: null,
    hint: 'The passkey belongs to another relying party ID: identity.passkeys.rp_id or the host of oidc.issuer has changed.',
  },
  passkey_algorithm: {
    sent: null,
    hint: 'The authenticator offers no algorithm that is supported (EdDSA, ES256, RS256): take another one.',
  },
  passkey_key: {
    sent: null,
    hint: 'The browser sent no key that can be read, or not that of this passkey.',
  },
  passkey_signature: {
    sent: null,
    hint: 'The answer is not signed by the key of this passkey.',
  },
  passkey_counter: {
    sent: null,
    hint: 'The signature counter has not grown: the authenticator may have been copied, or two requests used it at once.',
  },
  passkey_user: {
    sent: null,
    hint: 'The passkey names another user than the one who is asked for it.',
  },
  passkey_backup: {
    sent: null,
    hint: 'What the authenticator says of its backup contradicts what it said before.',
  },
  user_presence: {
    sent: null,
    hint: 'The user has not touched the authenticator.',
  },
  user_verification: {
    sent: null,
    hint: 'The authenticator has not asked for PIN, finger or face: set one up on the device.',
  },
}
