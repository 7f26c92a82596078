/** Ten thousand users with five kinds of hashes in one command, and a file that is larger than the memory. */

import { createHash, pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hash as argon2 } from '@node-rs/argon2'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { argon2Passwords } from '@ostiary/identity'
import { isOwnHash, withOlderHashes } from '@ostiary/password-hashes'
import { configFor, run } from '@ostiary/test-kit/server'
import { expect, it } from 'vitest'
import { place, SECRET } from './user-import-place.ts'

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

const KINDS: ((password: string) => Promise<string>)[] = [
  (password) => bcrypt(password, 4),
  (password) => argon2(password, { algorithm: 0, memoryCost: 256, timeCost: 1 }),
  async (password) => {
    const salt = randomBytes(16)
    return `$scrypt$ln=4,r=8,p=1$${base64(salt)}$${base64(scryptSync(password, salt, 32, { N: 16, r: 8, p: 1 }))}`
  },
  async (password) => {
    const salt = randomBytes(16)
    return `$pbkdf2-sha256$10$${base64(salt)}$${base64(pbkdf2Sync(password, salt, 10, 32, 'sha256'))}`
  },
  async (password) => {
    const salt = randomBytes(8)
    const digest = createHash('sha512').update(password).update(salt).digest()
    return `{SSHA512}${Buffer.concat([digest, salt]).toString('base64')}`
  },
]
const USERS = 10_000
const passwordOf = (n: number) => `the password of ${n}`

it('10,000 users come in one command, and each has the own password', async () => {
  const to = await place()
  const lines = await Promise.all(
    Array.from({ length: USERS }, async (_, n) => ({
      username: `user${n}@example.com`,
      sub: `old|${n}`,
      email: `user${n}@example.com`,
      email_verified: true,
      name: `User ${n}`,
      groups: ['staff'],
      password_hash: await KINDS[n % KINDS.length]?.(passwordOf(n)),
    })),
  )
  const started = performance.now()
  expect((await to.import(lines)).out).toMatch(/^created +10000\n/)
  const stored = performance.now()
  expect((await to.import(lines)).out).toMatch(/^created +0\nupdated +0\nidentical +10000\n/)
  const [first, again] = [stored - started, performance.now() - stored]
  console.log(
    `10,000 users: ${(first / 1000).toFixed(1)} s; again, identical: ${(again / 1000).toFixed(1)} s`,
  )

  const passwords = withOlderHashes(argon2Passwords())
  const right: boolean[] = []
  for (const [n, { sub }] of lines.entries()) {
    const user = await to.users.find(sub)
    right.push(await passwords.verify(user?.password_hash ?? null, passwordOf(n)))
  }
  expect(right.filter(Boolean)).toHaveLength(USERS)

  const signIn = await to.server()
  for (let n = 0; n < KINDS.length * 4; n += 1) {
    const name = `user${n}@example.com`
    expect(await signIn(name, passwordOf(n)), name).toMatchObject({ status: 303 })
    expect(isOwnHash((await to.users.find(`old|${n}`))?.password_hash ?? ''), name).toBe(true)
  }
  expect((await to.import(lines)).out).toMatch(/^created +0\nupdated +0\nidentical +10000\n/)
})

it('a file of 200 MB is compared with 96 MB of memory for JavaScript', async () => {
  const to = await place()
  const file = join(to.cwd, 'large.jsonl')
  const name = 'x'.repeat(2000)
  await pipeline(
    Readable.from(
      (function* () {
        for (let n = 0; n < 100_000; n += 1)
          yield `${JSON.stringify({ username: `user${n}`, sub: `${n}`, name })}\n`
      })(),
    ),
    createWriteStream(file),
  )
  const { code, stdout, stderr } = await run({
    args: ['user', 'import', file, '--dry-run'],
    config: configFor('http://localhost:8080/callback'),
    env: { ...to.env, OIDC_SECRET: SECRET, NODE_OPTIONS: '--max-old-space-size=96' },
  })
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^created +100000\n/)
})
