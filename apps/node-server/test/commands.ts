/** Commands on a database of their own, and what they leave in it. */

import { createProvider, type RealmStorage } from '@ostiary/core'
import { createUser, type UserStore } from '@ostiary/identity'
import { migrations, postgresExecutor, postgresStorage, postgresUsers } from '@ostiary/storage-postgres'
import { type Later, ownDatabase } from '../../../packages/host/test/database.ts'
import { configFor, type Exit, run, SECRET, type Start } from './server.ts'

export const START = { config: configFor('http://localhost:8080/callback'), env: { OIDC_SECRET: SECRET } }

/** A line is split at its spaces. */
export type Ostiary = (line: string, more?: Pick<Start, 'stdin' | 'env' | 'config'>) => Promise<Exit>

export async function database(later: Later) {
  const url = await ownDatabase(later)
  const executor = postgresExecutor(url, { connections: 1 })
  later(() => executor.close())
  await migrations(executor).migrate()
  const start = { ...START, env: { ...START.env, DATABASE_URL: url } }
  const ostiary: Ostiary = (line, { env = {}, ...more } = {}) =>
    run({ ...start, ...more, env: { ...start.env, ...env }, args: line.split(' ') })
  return {
    ...{ ostiary, executor, env: start.env },
    /** What it prints with `--json`. */
    async json(line: string) {
      const { code, stdout, stderr } = await ostiary(`${line} --json`)
      if (code !== 0) throw new Error(`ostiary ${line}: ${code} ${stderr}`)
      return JSON.parse(stdout)
    },
    storage: postgresStorage(executor)('default'),
    users: postgresUsers(executor)('default'),
  }
}

/** Ann, as the commands find her by her name. */
export const makeAnn = (users: UserStore) => createUser(users, { username: 'ann', sub: 'ann-1' })

/** The realm's first key, sealed with the tests' secret. */
export async function makeKey(storage: RealmStorage): Promise<void> {
  const provider = createProvider({
    ...{ oidc: { issuer: 'http://localhost' }, secret: SECRET, storage: () => storage },
    accounts: { find: async () => null },
    interactions: { login: async () => new Response() },
  })
  await (await provider.manage()).keys.ready()
}
