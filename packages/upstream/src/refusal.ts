/** Why a sign-in at another provider was refused. No text of the provider is ever in it. */
export type UpstreamReason =
  // The user has cancelled there.
  | 'access_denied'
  // It has answered with an error, or its token endpoint has refused the code.
  | 'error_response'
  | 'unreachable'
  // A document or an answer is not what the specification says.
  | 'bad_response'
  | 'issuer_differs'
  | 'audience'
  | 'nonce'
  | 'expired'
  | 'userinfo_subject'
  | 'subject'
  | 'tenant'
  // This browser has not begun the round trip, or it is over, or it belongs to another provider.
  | 'state_unknown'
  | 'throttled'
  // An account that is unknown here, where users of the provider get none by themselves.
  | 'no_account'
  | 'domain'
  | 'email_unverified'
  // Another sign-up of the same account is going on.
  | 'busy'
  | 'disabled'
  // The account elsewhere is linked to another user.
  | 'linked_elsewhere'
  // Another account elsewhere than that of the signed-in user.
  | 'other_account'
  | 'changed_meanwhile'
  // The provider requires a second factor, and the realm has none.
  | 'second_factor'

/** A sign-in that does not go on. The message is its reason. */
export class UpstreamRefusal extends Error {
  readonly reason: UpstreamReason

  constructor(reason: UpstreamReason, cause?: unknown) {
    super(reason, { cause })
    this.name = 'UpstreamRefusal'
    this.reason = reason
  }
}
