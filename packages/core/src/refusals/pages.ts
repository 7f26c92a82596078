/** The catalog: why a sign-in or a form of the account page is refused. What was typed there is never logged. */

import type { PageReason } from './names.js'
import type { ReasonRow } from './reason.js'

export const PAGE_REASONS: Readonly<Record<PageReason, ReasonRow>> = {
  login_unknown_user: {
    hint: 'No user has this username: the person mistyped it, or the user is to be created (user create).',
  },
  login_throttled: {
    hint: 'Too many failed sign-ins: this limit ends by itself. Find out who tries, by the address in the log. If it is the user: ostiary throttle reset.',
  },
  wrong_password: {
    hint: 'The password is not that of the user. If the user forgot it: ostiary user set-password.',
  },
  disabled: { hint: 'The user was disabled. If by mistake: ostiary user enable.' },
  no_password: {
    hint: 'The user has no password: set one with user set-password, or password_env in the configuration.',
  },
  busy: {
    hint: 'Too many passwords are being checked at once: the server needs more cores, or is attacked.',
  },
  csrf: {
    hint: 'The form does not belong to this browser: cookies are blocked, the page was open in another session, or the address in the browser is not oidc.issuer.',
  },
  changed_meanwhile: {
    hint: 'Another request changed the user at the same time: try again.',
  },
  expired_ticket: {
    hint: 'A link is good for one hour. Make another: ostiary user recovery-link.',
  },
  unknown_ticket: {
    hint: 'The link was used, or a newer one made. Make another: ostiary user recovery-link.',
  },
  last_way_in: {
    hint: 'The user wanted to remove the only way to sign in, or the only second factor where the realm requires one: add another one first.',
  },
  not_fresh: {
    hint: 'The user signed in more than five minutes ago, and has no other proof: the user signs out and in again.',
  },
  bad_address: { hint: 'The user typed no email address that mails can be sent to.' },
  wrong_code: {
    hint: 'The code is wrong. If those of an app are always wrong, the clock of the phone or of this server is not right.',
  },
  code_reused: {
    hint: 'Another request used the same code at the same moment: wait for the next one.',
  },
  passkey_unknown: {
    hint: 'This realm has no such passkey: the user has removed it, or is disabled. The browser may still have it.',
  },
  passkey_malformed: {
    hint: 'The browser sent no answer of a passkey.',
  },
  passkey_type: {
    hint: 'The answer belongs to the creation of a passkey, or the reverse.',
  },
  passkey_challenge: {
    hint: 'The page was open for more than five minutes, or the answer was sent before or from another page: try again.',
  },
  passkey_origin: {
    hint: 'The passkey was used on another origin than that of oidc.issuer, or in a frame. Compare the address in the browser with oidc.issuer.',
  },
  passkey_rp_id: {
    hint: 'The passkey belongs to another relying party ID: identity.passkeys.rp_id or the host of oidc.issuer has changed.',
  },
  passkey_algorithm: {
    hint: 'The authenticator offers no algorithm that is supported (EdDSA, ES256, RS256): take another one.',
  },
  passkey_key: {
    hint: 'The browser sent no key that can be read, or not that of this passkey.',
  },
  passkey_signature: {
    hint: 'The answer is not signed by the key of this passkey.',
  },
  passkey_counter: {
    hint: 'The signature counter has not grown: the authenticator may have been copied, or two requests used it at once.',
  },
  passkey_user: {
    hint: 'The passkey names another user than the one who is asked for it.',
  },
  passkey_backup: {
    hint: 'What the authenticator says of its backup contradicts what it said before.',
  },
  user_presence: {
    hint: 'The user has not touched the authenticator.',
  },
  user_verification: {
    hint: 'The authenticator has not asked for PIN, finger or face: set one up on the device.',
  },
}
