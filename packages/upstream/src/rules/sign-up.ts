/** A user who is seen for the first time gets an account. */

import { createHash } from 'node:crypto'
import {
  createUser,
  type Link,
  type LinkStore,
  type User,
  UserError,
  type UserStore,
} from '@ostiary/identity'
import type { UpstreamAnswer } from '../protocol/trip.js'
import type { UpstreamSettings } from '../settings.js'
import { isAuthoritative } from './domains.js'

/** The name, and the same with a number after it. Then it is made of a hash. */
const MAX_NAMES = 20
const MAX_NAME_CHARACTERS = 200

export interface SignUp {
  users: UserStore
  links: LinkStore
  settings: UpstreamSettings
  answer: UpstreamAnswer
  linkOf(sub: string): Link
  /** Epoch seconds. */
  now: number
}

/** Null when the account is linked to another user meanwhile: then there is no user more than before. */
export async function signUp(sign_up: SignUp): Promise<{ user: User; link: Link } | null> {
  const { users, links, linkOf, now } = sign_up
  const created = await createNamed(sign_up)
  if (created === null) return null
  const link = linkOf(created.sub)
  const { credential_version } = created
  const is_linked = await links.add(link, { credential_version, now })
  const user = is_linked ? await users.find(created.sub) : null
  if (user !== null) return { user, link }
  await users.delete(created.sub)
  return null
}

/** The page does not tell that a name is taken, or that no user can have it: the user gets another one. */
async function createNamed({ users, settings, answer, now }: SignUp): Promise<User | null> {
  const name = nameOf(settings, answer)
  const names = Array.from({ length: MAX_NAMES }, (_, index) => (index === 0 ? name : `${name}-${index + 1}`))
  for (const username of [...names, `user-${digest(answer)}`]) {
    const input = { ...claimsOf(settings, answer), username }
    const user = await createUser(users, input, { now: () => now }).catch((error: unknown) => {
      if (error instanceof UserError) return null
      throw error
    })
    if (user !== null) return user
  }
  return null
}

const digest = ({ issuer, subject }: UpstreamAnswer): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
    .slice(0, 12)

/**
 * What the user is called there, or the address. Both can be chosen, so they name nothing that exists. A name that is an address belongs to who reads
 * its mails, who may sign up with it: without the proof, only what stands before its `@` is the name.
 */
function nameOf(settings: UpstreamSettings, answer: UpstreamAnswer): string {
  const { preferred_username, email } = answer
  const called = preferred_username ?? email ?? ''
  const is_proved = called === email && isAuthoritative(settings, answer)
  const name = is_proved ? called : called.replace(/@.*/s, '')
  return Array.from(name || `user-${digest(answer)}`)
    .slice(0, MAX_NAME_CHARACTERS)
    .join('')
}

/** The address counts as verified where the upstream hands it out itself. */
function claimsOf(settings: UpstreamSettings, answer: UpstreamAnswer): User['claims'] {
  const { name, given_name, family_name, email } = answer
  return {
    ...(name !== null && { name }),
    ...(given_name !== null && { given_name }),
    ...(family_name !== null && { family_name }),
    ...(email !== null && { email, email_verified: isAuthoritative(settings, answer) }),
  }
}
