import type { User } from '../users/user-store.js'
import type { PageContext } from './context.js'

type InRealm = Pick<PageContext, 'factors'>

/** Whether users of the realm sign in with passwords. */
export const hasPasswords = ({ factors }: InRealm): boolean => factors?.settings.password ?? true

/** Whether the user's password is a way to sign in. A realm without passwords accepts none that is stored. */
export const hasPassword = (c: InRealm, { password_hash }: User): boolean =>
  password_hash !== null && hasPasswords(c)
