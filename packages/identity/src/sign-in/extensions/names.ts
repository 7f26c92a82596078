/** What the extensions say about names together. */

import type { Language } from '../../pages/language.js'
import type { Languages } from '../../pages/languages.js'
import type { User, UserStore, Users } from '../../users/user-store.js'
import type { Extension } from './seam.js'

type Extensions = readonly Extension[]

/** Whether the user signs in at another provider in place of a password. */
export const replacesPassword = (
  extensions: Extensions,
  realm: string,
  user: Pick<User, 'username' | 'claims'>,
): boolean => extensions.some((one) => one.replacesPassword?.(realm, user))

/** The user with this username, or with what stands for one. A username that is one takes as long. */
export async function findNamed(
  users: UserStore,
  extensions: Extensions,
  { realm, key }: { realm: string; key: string | null },
): Promise<User | null> {
  if (key === null) return null
  let found = await users.findByUsername(key)
  for (const one of extensions) {
    const other = await one.names?.(realm)?.find(key)
    found ??= other ?? null
  }
  return found
}

/** What a realm asks for as the name of a user, and who it is. */
export function namesIn(
  { languages, users }: { languages: Languages; users: Users },
  extensions: Extensions,
  realm: string,
) {
  const label = extensions.flatMap((one) => one.names?.(realm) ?? [])[0]?.label
  return {
    languages: label ? labeled(languages, label) : languages,
    findTyped: (key: string | null) => findNamed(users(realm), extensions, { realm, key }),
  }
}

/** The field for the name says what the user may type. */
const labeled = (languages: Languages, label: (text: string) => string): Languages => ({
  choose(...asked) {
    const language = languages.choose(...asked)
    const text: Language['text'] = (key, ...values) => {
      const written = language.text(key, ...values)
      return key === 'sign_in.username' ? label(written) : written
    }
    return { ...language, text }
  },
})
