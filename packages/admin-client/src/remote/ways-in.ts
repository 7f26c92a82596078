/** How the users of a realm sign in, over the admin API. */

import type { FactorSelection, Link, User } from '@ostiary/identity'
import { orNull, type RealmApi } from './api.js'
import type { AccountOperations, EndedAccess, ListedFactors, WaysIn } from './realm.js'

type Ended = NonNullable<EndedAccess>

/** The answer to a change after which sessions and grants end. */
export async function endedBy(answer: Promise<Ended>): Promise<Ended> {
  const { sessions, grants } = await answer
  return { sessions, grants }
}

/** What a dry run says would be removed; null where nothing is. */
async function planned<Removed>({ send }: RealmApi, path: readonly string[]): Promise<Removed[] | null> {
  const call = { query: { dry_run: 'true' } }
  const plan = await orNull(send<{ changes: { pointer: string; from?: Removed }[] }>('DELETE', path, call))
  if (plan === null) return null
  return plan.changes.flatMap(({ pointer, from }) => (pointer === '' && from !== undefined ? [from] : []))
}

interface FactorAnswer extends Pick<WaysIn, 'password' | 'passkeys' | 'recovery_until' | 'configured'> {
  items: ListedFactors['factors']
  recovery_codes: number
}

const factorsOf = ({ send }: RealmApi, { sub }: User) => send<FactorAnswer>('GET', ['users', sub, 'factors'])

/** None where the realm has no other providers. */
async function linksOf({ send }: RealmApi, { sub }: User): Promise<Omit<Link, 'sub'>[]> {
  const answer = await orNull(send<{ items: Omit<Link, 'sub'>[] }>('GET', ['users', sub, 'links']))
  return answer?.items ?? []
}

async function waysIn(api: RealmApi, user: User): Promise<WaysIn> {
  const { items, password, passkeys, recovery_codes, recovery_until, configured } = await factorsOf(api, user)
  const links = await linksOf(api, user)
  const of_user = ['users', user.sub]
  const invitation = await orNull(api.send<{ expires_at: number }>('GET', [...of_user, 'invitation']))
  return {
    password,
    passkeys,
    apps: items.filter(({ kind }) => kind === 'totp').length,
    recovery_codes,
    links: links.map(({ upstream }) => upstream),
    address: await addressOf(api, of_user),
    configured,
    invited_until: invitation?.expires_at ?? null,
    recovery_until,
  }
}

const USES: Readonly<Record<string, string>> = {
  signs_in: 'yes',
  shared: 'no: another user has confirmed it too',
  username: 'no: it is the username of another user',
  missing: 'not yet: a server enters it within some seconds after its start',
}

/** Null also where users of the realm do not sign in with an address. */
async function addressOf({ send }: RealmApi, of_user: readonly string[]): Promise<WaysIn['address']> {
  const answer = await orNull(send<{ items: { sign_in: string | null }[] }>('GET', [...of_user, 'addresses']))
  const use = answer?.items[0]?.sign_in ?? null
  return use === null ? null : { use, says: `Signs in with the email address: ${USES[use] ?? use}` }
}

const pathOf = ({ sub }: User, selection: FactorSelection): string[] => {
  const one = selection === 'all' ? [] : [selection.factor_id]
  return ['users', sub, 'factors', ...one]
}

type WayOperations = Omit<
  AccountOperations,
  'create' | 'update' | 'invite' | 'setDisabled' | 'setPassword' | 'delete'
>

export const wayOperations = (api: RealmApi): WayOperations => ({
  waysIn: (user) => waysIn(api, user),
  async listFactors(user) {
    const { items, recovery_codes } = await factorsOf(api, user)
    return { factors: items, recovery_codes }
  },
  async planFactors(user, selection) {
    const path = pathOf(user, selection)
    const removed = await planned<ListedFactors['factors'][number]>(api, path)
    if (removed === null) return null
    const { items } = await factorsOf(api, user)
    const left = items.filter(({ factor_id }) => !removed.some((one) => one.factor_id === factor_id))
    const second_step = user.second_step && left.length > 0
    return { removed, second_step, remove: () => endedBy(api.send('DELETE', path)) }
  },
  listLinks: (user) => linksOf(api, user),
  async planLinks(user, upstream) {
    const path = ['users', user.sub, 'links', ...(upstream === null ? [] : [upstream])]
    const removed = await planned<Omit<Link, 'sub'>>(api, path)
    return removed && { removed, remove: () => endedBy(api.send('DELETE', path)) }
  },
  async recoveryLink({ sub }) {
    const { link, expires_at } = await api.send<{ link: string; expires_at: number }>('POST', [
      'users',
      sub,
      'recovery-link',
    ])
    return { url: link, expires_at }
  },
  async cancelRecovery({ sub }) {
    const cancelled = api.send('DELETE', ['users', sub, 'recovery-link']).then(() => true)
    return (await orNull(cancelled)) === true
  },
})
