/** What to do about a refusal, for the operator: the events have it. */

import type { UpstreamReason } from './refusal.js'

export const HINTS: Readonly<Record<UpstreamReason, string>> = {
  access_denied: 'The user has cancelled there: nothing is to be done.',
  error_response:
    'The provider has answered with an error, or has refused the client or the code: check client id and secret there.',
  unreachable: 'The provider does not answer, or with errors: users sign in in another way until it does.',
  bad_response:
    'The answer breaks the specification, or was forged: signature, algorithm, state or a missing claim.',
  issuer_differs: 'Copy the issuer exactly from the discovery document.',
  audience: 'The ID token was made for another client, or for several: check the client id.',
  nonce: 'The ID token belongs to another sign-in: an attack, or a proxy that keeps answers.',
  expired: 'The ID token has expired, or is not valid yet: compare the clocks of both servers.',
  userinfo_subject: 'UserInfo is about another user than the ID token: report it to the provider.',
  subject: 'The provider has sent no usable id of the user: report it there.',
  tenant: 'Add the id of the Microsoft tenant to tenants, if its users may sign in.',
  state_unknown:
    'It was begun in another browser, took more than ten minutes, or has ended: the user begins again.',
  throttled: 'One network brings too many answers: users behind it wait a quarter of an hour.',
  no_account: 'The account there is linked to no user: link it on the account page, or set signup.',
  domain: 'The address is not of domains: add its domain, or create the user.',
  email_unverified: 'The provider does not say that the address is verified, and domains needs that.',
  busy: 'Two sign-ups of one account came at the same time: the user tries again.',
  disabled: 'The linked user is disabled: enable the user, or leave it so.',
  linked_elsewhere: 'The account there is linked to another user: remove that link first.',
  other_account: 'The user has proved another account there than the linked one.',
  changed_meanwhile: 'The user was changed meanwhile: the user tries again.',
  second_factor: 'require_second_factor is set, and the realm has no second factor: turn one on.',
}
