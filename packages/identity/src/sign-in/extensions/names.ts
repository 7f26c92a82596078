/** What users type in place of a username. */

import type { Language } from '../../pages/language.js'
import type { Languages } from '../../pages/languages.js'
import type { User, UserStore, Users } from '../../users/user-store.js'
import type { Extension } from './seam.js'

type Extensions = readonly { ways: Extension }[]

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

/** The user with this username, or with what stands for one. A username that is one takes as long. */
export async function findNamed(
  users: UserStore,
  extensions: Extensions,
  { realm, key }: { realm: string; key: string },
): Promise<User | null> {
  let found = await users.findByUsername(key)
  for (const { ways } of extensions) {
    const other = await ways.names?.(realm)?.find(key)
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
  const label = extensions.flatMap(({ ways }) => ways.names?.(realm) ?? [])[0]?.label
  return {
    languages: label ? labeled(languages, label) : languages,
    findTyped: async (key: string | null) =>
      key === null ? null : findNamed(users(realm), extensions, { realm, key }),
  }
}
