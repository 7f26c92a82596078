/** The catalog: why a sign-in or a form of the account page is refused. What was typed there is never logged. */

import { reasons } from '../util/reason.js'

export const PAGE_REASONS = reasons({
  login_unknown_user:
    'No user has this username: the person mistyped it, or the user is to be created (user create).',
  login_throttled:
    'Too many failed sign-ins: this limit ends by itself. Find out who tries, by the address in the log. If it is the user: ostiary throttle reset.',
  wrong_password: 'The password is not that of the user. If the user forgot it: ostiary user set-password.',
  disabled: 'The user was disabled. If by mistake: ostiary user enable.',
  no_password:
    'The user has no password: set one with user set-password, or password_env in the configuration.',
  busy: 'Too many passwords are being checked at once: the server needs more cores, or is attacked.',
  csrf: 'The form does not belong to this browser: cookies are blocked, the page was open in another session, or the address in the browser is not oidc.issuer.',
  changed_meanwhile: 'Another request changed the user at the same time: try again.',
  expired_ticket: 'A link is good for one hour. Make another: ostiary user recovery-link.',
  unknown_ticket: 'The link was used, or a newer one made. Make another: ostiary user recovery-link.',
  last_way_in:
    'The user wanted to remove the only way to sign in, or the only second factor where the realm requires one: add another one first.',
  not_fresh:
    'The user signed in more than five minutes ago, and has no other proof: the user signs out and in again.',
  bad_address: 'The user typed no email address that mails can be sent to.',
  wrong_code:
    'The code is wrong. If those of an app are always wrong, the clock of the phone or of this server is not right.',
  code_reused: 'Another request used the same code at the same moment: wait for the next one.',
  passkey_unknown:
    'This realm has no such passkey: the user has removed it, or is disabled. The browser may still have it.',
  passkey_malformed: 'The browser sent no answer of a passkey.',
  passkey_type: 'The answer belongs to the creation of a passkey, or the reverse.',
  passkey_challenge:
    'The page was open for more than five minutes, or the answer was sent before or from another page: try again.',
  passkey_origin:
    'The passkey was used on another origin than that of oidc.issuer, or in a frame. Compare the address in the browser with oidc.issuer.',
  passkey_rp_id:
    'The passkey belongs to another relying party ID: identity.passkeys.rp_id or the host of oidc.issuer has changed.',
  passkey_algorithm:
    'The authenticator offers no algorithm that is supported (EdDSA, ES256, RS256): take another one.',
  passkey_key: 'The browser sent no key that can be read, or not that of this passkey.',
  passkey_signature: 'The answer is not signed by the key of this passkey.',
  passkey_counter:
    'The signature counter has not grown: the authenticator may have been copied, or two requests used it at once.',
  passkey_user: 'The passkey names another user than the one who is asked for it.',
  passkey_backup: 'What the authenticator says of its backup contradicts what it said before.',
  user_presence: 'The user has not touched the authenticator.',
  user_verification: 'The authenticator has not asked for PIN, finger or face: set one up on the device.',
})
