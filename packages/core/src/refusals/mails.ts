/** The catalog: why a mail of the pages was not sent. */

import { reasons } from '../util/reason.js'

export const MAIL_REASONS = reasons({
  unsent_unknown_user:
    'No user has this username. A mail for a new password is asked for by username, which may differ from the address.',
  unsent_no_verified_email: 'The user has no address with email_verified: user update sets both claims.',
  unsent_invited: 'The user has not used the invitation yet: user invite sends another one.',
  unsent_elsewhere: 'The user signs in at another provider, which has "only".',
  unsent_changed_meanwhile: 'The account was changed since, or invited again: the mail is out of date.',
  unsent_expired: 'The link in the mail expired before the mail server took it: the user asks again.',
  unsent_no_realm: 'The realm was removed, or sends no mails any more (identity.mail).',
  unsent_other_secret: 'Another OIDC_SECRET has encrypted the mail: set OIDC_SECRET_PREVIOUS to that one.',
  unsent: 'The mail server did not take the mail: mail test shows why.',
})
