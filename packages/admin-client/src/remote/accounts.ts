/** The users of a realm, and how they sign in, over the admin API. */

import type { User, UserInput } from '@ostiary/identity'
import type { RealmApi } from './api.js'
import { ApiRefusal, faultsOf } from './errors.js'
import { newId } from './ids.js'
import { listed } from './lists.js'
import type { AccountOperations, EndedAccess, RealmOperations } from './realm.js'
import { endedBy, wayOperations } from './ways-in.js'

/** A user as the API shows it. */
type ShownUser = Omit<User, 'password_hash' | 'username_key'> & { has_password: boolean }
type Ended = NonNullable<EndedAccess>

/** In place of a hash, which the API does not show. */
const HASH = 'not shown'

/** No command reads the key of a username that the server has found. */
const recordOf = ({ has_password, ...shown }: ShownUser): User => ({
  ...shown,
  username_key: shown.username,
  password_hash: has_password ? HASH : null,
})

export function remoteUsers(api: RealmApi): RealmOperations['users'] {
  const find = async (sub: string): Promise<User | null> => {
    const shown = await api.find<ShownUser>(['users', sub])
    return shown && recordOf(shown)
  }
  return {
    find,
    list: async (page) => (await listed<ShownUser>(api, ['users'], page)).map(recordOf),
    async findByUsername(username) {
      const [found] = await listed<ShownUser>(api, ['users'], { limit: 1, filter: { username } })
      // The list has no ETag.
      return found === undefined ? null : find(found.sub)
    },
  }
}

/** The members of a user, and its claims. */
function bodyOf({ username, attributes, groups, password: _, sub: __, ...claims }: UserInput) {
  return { username, claims, ...(attributes && { attributes }), ...(groups && { groups }) }
}

async function create(
  api: RealmApi,
  input: UserInput,
  password: Parameters<AccountOperations['create']>[1],
): ReturnType<AccountOperations['create']> {
  const path = ['users', input.sub ?? newId()]
  const put = async (more: { password?: string } = {}) => {
    const call = { body: { ...bodyOf(input), ...more }, headers: { 'if-none-match': '*' } }
    return recordOf(await api.send<ShownUser>('PUT', path, call))
  }
  try {
    const user = await put(password === null ? {} : { password: password.password })
    const with_password = password !== null
    return { user, with_password, has_passwords: with_password || null }
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error
    // The API is always given a sub.
    if (error.status === 412 || error.message.endsWith('the username or the sub is taken'))
      throw taken(input, error)
    // The realm has no passwords, and a generated one is left out.
    const is_without = error.status === 409 && faultsOf(error).some(({ field }) => field === 'password')
    if (is_without && password?.generated)
      return { user: await put(), with_password: false, has_passwords: false }
    throw error
  }
}

const taken = ({ username, sub }: UserInput, { path }: ApiRefusal): ApiRefusal => {
  const what = sub === undefined ? 'the username' : 'the username or the sub'
  const detail = `user ${JSON.stringify(username)}: ${what} is taken`
  return new ApiRefusal({ status: 409, problem: { detail }, message: detail }, path)
}

const CHANGEABLE = ['username', 'claims', 'attributes', 'groups'] as const

async function update(
  api: RealmApi,
  { sub, change }: Parameters<AccountOperations['update']>[0],
): ReturnType<AccountOperations['update']> {
  const shown = await api.find<ShownUser>(['users', sub])
  if (shown === null) return null
  const stored = recordOf(shown)
  const wanted = { ...stored, ...change(stored) }
  const body = Object.fromEntries(CHANGEABLE.map((name) => [name, wanted[name]]))
  const user = recordOf(await api.change<ShownUser>('PUT', ['users', sub], { body }))
  const changed = CHANGEABLE.filter((name) => JSON.stringify(user[name]) !== JSON.stringify(stored[name]))
  return { user, changed }
}

async function invite(
  api: RealmApi,
  input: UserInput,
  print: boolean,
): ReturnType<AccountOperations['invite']> {
  const stored = await remoteUsers(api).findByUsername(input.username)
  const again = stored !== null
  if (again) await invitation(api, stored.sub, { print, dry_run: true })
  const user = again ? await renamed(api, stored.sub, input) : (await create(api, input, null)).user
  const { link, expires_at } = await invitation(api, user.sub, { print })
  return { user, again, url: link, expires_at }
}

const invitation = (
  { send }: RealmApi,
  sub: string,
  { print, dry_run = false }: { print: boolean; dry_run?: boolean },
) =>
  send<{ link: string | null; expires_at: number }>('POST', ['users', sub, 'invitation'], {
    body: { print },
    ...(dry_run && { query: { dry_run: 'true' } }),
  })

/** Changes what the invitation names. An address that is another one has not been verified. */
async function renamed(api: RealmApi, sub: string, input: UserInput): Promise<User> {
  const { claims, attributes, groups } = bodyOf(input)
  const change = ({ claims: former }: User) => ({
    claims: {
      ...former,
      ...(claims.email !== former.email && { email_verified: false }),
      ...claims,
    } as User['claims'],
    ...(attributes && { attributes }),
    ...(groups && { groups }),
  })
  const updated = await update(api, { sub, change })
  if (updated === null) throw new ApiRefusal({ status: 412, problem: null }, ['users', sub])
  return updated.user
}

type State = Pick<
  AccountOperations,
  'create' | 'update' | 'invite' | 'setDisabled' | 'setPassword' | 'delete'
>

const stateOperations = (api: RealmApi): State => ({
  create: (input, password) => create(api, input, password),
  update: (change) => update(api, change),
  invite: (input, print) => invite(api, input, print),
  async setDisabled({ sub }, disabled) {
    const answer = api.send<Ended>('POST', ['users', sub, disabled ? 'disable' : 'enable'])
    return disabled ? endedBy(answer) : answer.then(() => null)
  },
  setPassword: ({ sub }, { password }) =>
    endedBy(api.send('POST', ['users', sub, 'password'], { body: { password } })),
  async delete({ sub }) {
    const report = await api.change<Ended & { consents: number }>('DELETE', ['users', sub])
    return { ...(await endedBy(Promise.resolve(report))), consents: report.consents }
  },
})

export const remoteAccounts = (api: RealmApi): AccountOperations => ({
  ...stateOperations(api),
  ...wayOperations(api),
})
