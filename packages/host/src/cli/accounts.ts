/** What commands do with the users of a realm in the storage of this machine: the functions that it takes. */

import type { AccountOperations, RealmOperations } from '@ostiary/admin-client/remote'
import {
  codesLeft,
  createRecoveryLink,
  createUser,
  inviteUser,
  passkeysFor,
  passwordRulesFault,
  planFactorRemoval,
  removeFactors,
  setDisabled,
  setPassword,
  signInSettings,
  type User,
  updateUser,
  usernameKey,
} from '@ostiary/identity'
import type { Workspace } from '../management/manage.js'
import { isOpen } from '../server/admin/invitations.js'
import { planLinkRemoval, removeLinks } from '../server/admin/user-links.js'
import { realmPasswordRules } from '../server/password-rules.js'
import { failure } from './command.js'
import { printable } from './output.js'

/** Epoch seconds. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** The path of the user in the configuration, or null. */
export function configuredPath(
  { entries }: { entries: Pick<RealmOperations['entries'], 'users'> },
  { sub, username_key }: Pick<User, 'sub' | 'username_key'>,
): string | null {
  const entry = entries.users.find(
    ({ user }) => user.sub === sub || (user.sub === undefined && usernameKey(user.username) === username_key),
  )
  return entry?.path ?? null
}

export async function accountsOf(workspace: Workspace): Promise<AccountOperations> {
  const { localAccounts } = await import('@ostiary/admin-client/local')
  return localAccounts(workspace, {
    identity: {
      codesLeft,
      createRecoveryLink,
      createUser,
      inviteUser,
      passkeysFor,
      passwordRulesFault,
      planFactorRemoval,
      removeFactors,
      setDisabled,
      setPassword,
      signInSettings,
      updateUser,
    },
    failure,
    printable,
    planLinkRemoval,
    removeLinks,
    passwordRules: () => realmPasswordRules(workspace.config, workspace.realm.id),
    configuredPath,
    isOpen,
    now: nowSeconds,
  })
}
