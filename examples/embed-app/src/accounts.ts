/** The accounts of the application. Here they are in a Map; replace it with your database. */

export interface User {
  id: string
  username: string
  name: string
  email: string
  salt: Uint8Array<ArrayBuffer>
  password_hash: Uint8Array<ArrayBuffer>
}

const users = new Map<string, User>()

export const findUser = async (id: string): Promise<User | null> => users.get(id) ?? null

/** The user with this password, or null. It takes as long for an unknown username. */
export async function checkPassword(username: string, password: string): Promise<User | null> {
  if (users.size === 0) await addUser({ id: 'user-1', username: 'ann', password: PASSWORD })
  const user = [...users.values()].find((known) => known.username === username)
  const hash = await hashOf(password, user?.salt ?? new Uint8Array(16))
  return user && equalBytes(hash, user.password_hash) ? user : null
}

/** The password of the demo user. */
const PASSWORD = 'correct horse battery staple'

async function addUser(input: { id: string; username: string; password: string }): Promise<void> {
  const { id, username, password } = input
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const password_hash = await hashOf(password, salt)
  users.set(id, { id, username, name: 'Ann Example', email: 'ann@example.com', salt, password_hash })
}

/** PBKDF2, which every runtime has, with the most rounds that a Worker allows. Prefer argon2id where it is available. */
async function hashOf(password: string, salt: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(password), 'PBKDF2', false, [
    'deriveBits',
  ])
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: 100_000 }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 256))
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length
  for (const [i, byte] of a.entries()) difference |= byte ^ (b[i] ?? 0)
  return difference === 0
}
