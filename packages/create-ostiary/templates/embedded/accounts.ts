/** The users. Replace the list with your database; keep the passwords hashed, as here. */

import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import { setting } from './settings.ts'

export interface User {
  /** The `sub` in tokens: never give it to another user. */
  id: string
  username: string
  name: string
  email: string
  salt: Buffer
  password_hash: Buffer
}

const hashOf = (password: string, salt: Buffer): Buffer => scryptSync(password, salt, 32)

function addUser(username: string, password: string): User {
  const salt = randomBytes(16)
  const password_hash = hashOf(password, salt)
  return { id: 'user-1', username, name: 'Ann Example', email: 'ann@example.com', salt, password_hash }
}

const users = [addUser('ann', setting('ANN_PASSWORD'))]

export const findUser = async (id: string): Promise<User | null> =>
  users.find((user) => user.id === id) ?? null

/** The user with this password, or null. It takes as long for an unknown username. */
export async function checkPassword(username: string, password: string): Promise<User | null> {
  const user = users.find((known) => known.username === username)
  const hash = hashOf(password, user?.salt ?? Buffer.alloc(16))
  return user && timingSafeEqual(hash, user.password_hash) ? user : null
}
