/** A database and a folder of its own, for the tests of `ostiary user import`. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { postgresExecutor, postgresStores } from '@ostiary/storage-postgres'
import { browser, filled, formOf } from '@ostiary/test-kit/browser'
import { type CleanUp, UNLIMITED } from '@ostiary/test-kit/database'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { onTestFinished } from 'vitest'
import { createApp, createLog, readConfig, run } from '../src/index.ts'

export const SECRET = 'only-for-tests-only-for-tests-only-for-tests'
export const PASSWORD = 'correct horse'
const ISSUER = 'https://id.example.com'
export const CONFIG = {
  oidc: { issuer: ISSUER, routes: { realms: 'path' }, realms: { default: {}, acme: {} } },
  identity: { second_factor: 'optional' },
}

/** Of PASSWORD; packages/password-hashes/test/_vectors.ts says which programs have made them. */
export const HASHES = {
  bcrypt: '$2y$05$PqOknT0mJ2rmsGKQe8q97ugbazcqo0Y0FIxrdDBF8gK1V/ZT7xvky',
  ssha: '{SSHA}yp0NMycviPuwP7OgZkIJqW/x1QZcS+kd',
  scrypt: '$scrypt$ln=10,r=8,p=1$n3OOca5Vag2BsHZuDQHgvA$zkWOWT3v4TQMCBjzk3iy6KYcdlWDzJGV4OyH33j1BMs',
  pbkdf2: '$pbkdf2-sha256$1000$L2WMkbL23hsjpJSSUirFeA$b3oPNJRSlVpkmwM8UMLzKBhqWkcn5EaWY3J9TVVXmpU',
  argon2d: '$argon2d$v=19$m=1024,t=2,p=1$c29tZXNhbHQ4$Za9NCsc9H3j2HkA0Sa7oWN3k0pc0GcRypYXuJXcy2Xw',
}

export type Place = Awaited<ReturnType<typeof place>>

export async function place(config: object = CONFIG, cleanUp: CleanUp = onTestFinished) {
  const cwd = await temporaryFolder(cleanUp)
  await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(config))
  const url = await migratedDatabase(cleanUp)
  const executor = postgresExecutor(url, { ...UNLIMITED, connections: 2 })
  cleanUp(() => executor.close())
  const { storage, users, factors } = postgresStores(executor)
  const env = { OIDC_SECRET: SECRET, DATABASE_URL: url }

  /** The line is split at its spaces. */
  async function ostiary(line: string, stdin = '') {
    const [out, err]: [string[], string[]] = [[], []]
    const terminal = {
      env,
      cwd,
      stdin: async () => stdin,
      out: (text: string) => void out.push(text),
      err: (text: string) => void err.push(text),
    }
    const code = await run(line.split(' '), { serve: async () => 0 }, terminal)
    const isEvent = (text: string) => text.includes('"event":"command.done"')
    const events = err.filter(isEvent).map((text) => JSON.parse(text) as { count: unknown; realm: string })
    return { code, out: out.join(''), err: err.filter((text) => !isEvent(text)).join(''), events }
  }

  return {
    cwd,
    env,
    executor,
    storage: storage('default'),
    users: users('default'),
    factors: factors('default'),
    other: users('acme'),
    ostiary,
    /** Imports these lines; a text is a line as it is. */
    async import(lines: readonly (object | string)[], options = '') {
      const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      await writeFile(join(cwd, 'users.jsonl'), `${text.join('\n')}\n`)
      return ostiary(`user import users.jsonl${options === '' ? '' : ` ${options}`}`)
    },
    /** A server on this database, at whose pages users sign in: where the browser is sent, and the status. */
    async server() {
      const app = await createApp(await readConfig(env, cwd), { log: createLog({ write: () => {} }) })
      onTestFinished(() => app.stop())
      await app.start()
      return async (username: string, password: string): Promise<{ status: number; to: string }> => {
        const { get, send } = browser((request) => app.fetch(request, { address: '192.0.2.1' }))
        const login = `${ISSUER}/realms/default/login?return_to=%2Faccount`
        const body = filled(formOf(await (await get(login)).text()), { username, password })
        const { status, headers } = await send(new Request(login, { method: 'POST', body }))
        return { status, to: headers.get('location') ?? '' }
      }
    },
  }
}
