/** Users who delete their own account, as the configuration turns it on. */

import type { AccountDeletion } from '@ostiary/account-deletion'
import { personTag } from '@ostiary/core'
import { setDisabled, usernameKey } from '@ostiary/identity'
import type { HostConfig } from '../../config/host-config.js'
import type { HostStorage } from '../../storage/host-storage.js'
import { given } from '../../values/given.js'

/** Null where no realm has it, and then nothing is loaded. */
export async function accountDeletionOf(
  { account_deletion, realms }: Pick<HostConfig, 'account_deletion' | 'realms'>,
  { users, tickets }: Pick<HostStorage, 'users' | 'tickets'>,
  { now, failed }: { now: () => number; failed?: (error: unknown) => void },
): Promise<AccountDeletion | null> {
  if (account_deletion === undefined) return null
  const { createAccountDeletion } = await import('@ostiary/account-deletion')
  return createAccountDeletion({
    realms: account_deletion,
    users,
    tickets,
    functions: { personTag, setDisabled },
    ...given({ now, failed }),
    // A start would make it again.
    keeps: (realm, { sub, username_key }) =>
      (realms[realm]?.users ?? []).some(
        ({ user }) => user.sub === sub || usernameKey(user.username) === username_key,
      ),
  })
}
