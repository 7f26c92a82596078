/** The catalog: why a sign-in at another provider is refused. Nothing that the provider has sent is logged. */

import type { UpstreamReason } from './names.js'
import type { ReasonRow } from './reason.js'

const hint = (text: string): ReasonRow => ({ hint: text })

export const UPSTREAM_REASONS: Readonly<Record<UpstreamReason, ReasonRow>> = {
  upstream_access_denied: hint('The user has cancelled at the other provider: nothing is to be done.'),
  upstream_error_response: hint(
    'The other provider has answered with an error, or has refused the code: check the client id, the secret and the redirect URI there.',
  ),
  upstream_unreachable: hint(
    'The other provider does not answer, or only with errors: users sign in in another way until it does.',
  ),
  upstream_bad_response: hint(
    'The answer of the other provider breaks the specification, or was forged: signature, algorithm, state or a missing claim.',
  ),
  upstream_issuer_differs: hint(
    'The document, the token or the answer has another issuer than the settings: copy the issuer exactly from the discovery document.',
  ),
  upstream_audience: hint('The ID token was made for another client, or for several: check the client id.'),
  upstream_nonce: hint('The ID token belongs to another sign-in: an attack, or a proxy that keeps answers.'),
  upstream_expired: hint(
    'The ID token has expired, or is not valid yet: compare the clocks of both servers.',
  ),
  upstream_userinfo_subject: hint(
    'UserInfo of the other provider is about another user than the ID token: report it to that provider.',
  ),
  upstream_subject: hint('The other provider has sent no usable id of the user: report it to that provider.'),
  upstream_tenant: hint(
    'The user is of a Microsoft tenant that is not in tenants: add its id there if its users may sign in.',
  ),
  upstream_state_unknown: hint(
    'The sign-in was begun in another browser, took more than ten minutes, or has ended: the user begins again.',
  ),
  upstream_throttled: hint(
    'One network brings too many answers of the other provider: users behind it wait a quarter of an hour.',
  ),
  upstream_no_account: hint(
    'The account elsewhere is linked to no user: the user links it on the account page, or signup lets users in.',
  ),
  upstream_domain: hint(
    'The address of the user is not of the domains that may sign up: add its domain, or create the user.',
  ),
  upstream_email_unverified: hint(
    'The other provider does not say that the address is verified, and domains needs that.',
  ),
  upstream_busy: hint('Two sign-ups of one account came at the same time: the user tries again.'),
  upstream_disabled: hint('The linked user is disabled: enable the user, or leave it so.'),
  upstream_linked_elsewhere: hint('The account elsewhere is linked to another user: remove that link first.'),
  upstream_other_account: hint(
    'The user has proved another account elsewhere than the linked one: the user takes the right one there.',
  ),
  upstream_changed_meanwhile: hint(
    'The user was changed while the browser was at the other provider: the user tries again.',
  ),
  upstream_second_factor: hint(
    'require_second_factor is set, and the realm has no second factor: turn passkeys or second_factor on.',
  ),
}
