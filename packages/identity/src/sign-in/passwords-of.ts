import type { User } from '../users/user-store.js'
import type { PageContext } from './context.js'
import type { Extension } from './extensions/seam.js'

interface InRealm extends Pick<PageContext, 'factors'> {
  extensions: readonly { ways: Extension }[]
  realm: { id: string }
}
type Named = Pick<User, 'username' | 'claims'>

/** Whether users of the realm sign in with passwords. */
export const hasPasswords = ({ factors }: Pick<InRealm, 'factors'>): boolean =>
  factors?.settings.password ?? true

/** Whether the user may have a password. */
export const mayHavePassword = (c: InRealm, user: Named): boolean => hasPasswords(c) && !isElsewhere(c, user)

/** Whether the user's password is a way to sign in. A stored one is not accepted where the user may have none. */
export const hasPassword = (c: InRealm, user: User): boolean =>
  user.password_hash !== null && mayHavePassword(c, user)

/** Whether the user signs in at another provider in place of a password. */
export const isElsewhere = ({ extensions, realm }: Omit<InRealm, 'factors'>, user: Named): boolean =>
  extensions.some(({ ways }) => ways.replacesPassword?.(realm.id, user))
