/** What `audit undo` sets back, and why it does not set back the rest: sentences that say what to do. */

import type { User } from '@ostiary/identity'
import type { CoreFunctions } from '../command-types.js'

const MADE = 'it has made a record; delete that instead'
const SIGN_IN = 'what has ended stays ended; the user signs in again'
const BY_USER = 'only the user can do it again'
const NEW_SECRET = 'the audit keeps no secret; make a new one with client rotate-secret'
const NOTHING = 'it has changed nothing'
const SYSTEM = 'the provider decides it'
const FOR_GOOD = 'a revoked client stays revoked; create another'

/** For each type of change: the record that is set back, or why none is. */
export const UNDO: Readonly<Record<string, { of: 'client' | 'user' } | string>> = {
  'client.create': MADE,
  'client.ensure': 'a program does it at each start; change what it gives',
  'client.store': 'the configuration has made it; change it there and reload the server',
  'client.update': { of: 'client' },
  'client.delete': 'the secret, the grants and the consents are gone; create the client again',
  'client.revoke': FOR_GOOD,
  'client.rotate_secret': NEW_SECRET,
  'client_document.forget': 'the document is fetched again when the client is used',
  'consent.revoke': BY_USER,
  'grant.revoke': SIGN_IN,
  'user.create': MADE,
  'user.update': { of: 'user' },
  'user.delete': 'what the user had is gone, and the sub is never used again',
  'user.delete_records': SIGN_IN,
  'user.end_access': SIGN_IN,
  'session.end': SIGN_IN,
  'session.end_all': SIGN_IN,
  'session.end_others': SIGN_IN,
  'key.rotate': 'clients have the new key; make another with keys rotate',
  'key.revoke': 'a revoked key stays revoked',
  'key.reseal': 'the former OIDC_SECRET is not kept',
  'throttle.reset': 'the counters begin anew',
  'factor.change': BY_USER,
  'factor.rename': BY_USER,
  'link.add': 'remove the link, with user links remove',
  'link.remove': BY_USER,
  'ticket.put': 'a link ends by itself',
  'ticket.take': BY_USER,
  'remembered_device.remove': BY_USER,
  'mail.test': NOTHING,
  'realm.create': MADE,
  'realm.update': 'set what it had with realm update',
  'realm.delete': 'its id is not used again',
  'realm.import': 'it has stored many records; change or delete these',
  'realm.export': NOTHING,
  'user.export': NOTHING,
  'admin.refused': NOTHING,
  dry_run: NOTHING,
  simulation: NOTHING,
  'database.restored': 'it has changed many records',
  'audit.undo': 'its change has its own row, which can be undone',
  'role.grant': 'take the role with admin roles revoke',
  'role.revoke': 'give the role again with admin roles grant',
}

const KEYS = 'others may have a former key; set the keys with client update'

const CLIENT_MEMBERS: Readonly<Record<string, string>> = {
  client_id: SYSTEM,
  client_secret_hash: NEW_SECRET,
  jwks: KEYS,
  jwks_uri: KEYS,
  revoked_at: FOR_GOOD,
}

const USER_MEMBERS: { readonly [Name in keyof Required<User>]: true | string } = {
  sub: SYSTEM,
  username: true,
  username_key: SYSTEM,
  password_hash: 'the audit keeps no password; set one with user set-password',
  claims: true,
  attributes: true,
  groups: true,
  created_at: SYSTEM,
  updated_at: SYSTEM,
  disabled_at: true,
  credential_version: SYSTEM,
  second_step: BY_USER,
  terms: BY_USER,
}

/** For each member that can differ: whether it is set back, or why not. */
export const memberRules = (
  of: 'client' | 'user',
  { clientFields, clientInput }: Pick<CoreFunctions, 'clientFields' | 'clientInput'>,
): Readonly<Record<string, true | string>> =>
  of === 'user'
    ? USER_MEMBERS
    : Object.fromEntries(
        Object.keys(clientFields).map((name) => [
          name,
          CLIENT_MEMBERS[name] ?? (name in clientInput.shape || SYSTEM),
        ]),
      )
