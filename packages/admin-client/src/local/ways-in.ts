/** How the users of a realm sign in, in the storage of this machine. */

import type { Factor, TicketPurpose, User } from '@ostiary/identity'
import type { AccessOptions, AccountOperations, EndedAccess, WaysIn } from '../remote/realm.js'
import type { LocalPlace } from './place.js'

/** What a user does who has no password, and no passkey yet. */
export const RECOVERY_LINK = 'ostiary user recovery-link'

/** Null when they stay. */
export async function endAccess(
  { opened }: LocalPlace,
  sub: string,
  { keep_access }: AccessOptions,
): Promise<EndedAccess> {
  return keep_access ? null : opened.management.users.endAccess(sub)
}

const settingsOf = ({ opened, tools }: LocalPlace) =>
  tools.identity.signInSettings(opened.realm, opened.entries.identity)

/** How many are left. */
const recoveryCodes = ({ tools }: LocalPlace, factors: readonly Factor[]): number =>
  factors.reduce((sum, factor) => sum + tools.identity.codesLeft(factor), 0)

/** Another change of the user came first. */
const changedMeanwhile = ({ tools }: LocalPlace, { username }: User): Error =>
  tools.failure(`${tools.printable(username)} was changed at the same time: try again`)

/** Null when there is no such ticket that can be used. */
async function openUntil(
  { opened, tools }: LocalPlace,
  user: User,
  purpose: TicketPurpose,
): Promise<number | null> {
  const ticket = await opened.tickets.findOf(user.sub, purpose)
  return ticket && tools.isOpen(ticket, user, tools.now()) ? ticket.expires_at : null
}

async function waysIn(place: LocalPlace, user: User): Promise<WaysIn> {
  const { opened, tools } = place
  const settings = settingsOf(place)
  const factors = await opened.factors.list(user.sub)
  const links = await opened.links.list(user.sub)
  return {
    password: user.password_hash !== null && settings.password,
    passkeys: tools.identity.passkeysFor(settings.passkeys, factors).length,
    apps: factors.filter(({ kind }) => kind === 'totp').length,
    recovery_codes: recoveryCodes(place, factors),
    links: links.map(({ upstream }) => upstream),
    address: (await opened.by_email?.useOf(opened.realm.id, user)) ?? null,
    configured: tools.configuredPath(opened, user),
    invited_until: await openUntil(place, user, 'invite'),
    recovery_until: await openUntil(place, user, 'wait'),
  }
}

type Removals = Pick<AccountOperations, 'planFactors' | 'planLinks'>

const removals = (place: LocalPlace): Removals => ({
  async planFactors(user, selection) {
    const { opened, tools } = place
    const { factors } = opened
    const settings = settingsOf(place)
    const asked = { selection, settings }
    const plan = tools.identity.planFactorRemoval(user, await factors.list(user.sub), asked)
    if (plan === 'no_factor') return null
    if (plan === 'last_way_in') throw tools.failure(lastPasskey(tools.printable(user.username), settings))
    return {
      ...plan,
      async remove(access) {
        const is_done = await tools.identity.removeFactors(factors, user, { ...plan, now: tools.now() })
        if (!is_done) throw changedMeanwhile(place, user)
        return endAccess(place, user.sub, access)
      },
    }
  },
  async planLinks(user, upstream) {
    const { opened, tools } = place
    const { links, factors } = opened
    const { sub, credential_version } = user
    const settings = settingsOf(place)
    const linked = { user, links: await links.list(sub), factors: await factors.list(sub), settings }
    const found = tools.planLinkRemoval(linked, upstream)
    if (found === 'no_link') return null
    if (found === 'last_way_in')
      throw tools.failure(
        `${tools.printable(user.username)} could not sign in any more. Set a password first (ostiary user set-password), or disable the user`,
      )
    return {
      removed: found,
      async remove(access) {
        const is_done = await tools.removeLinks(links, { credential_version, found }, tools.now())
        if (!is_done) throw changedMeanwhile(place, user)
        return endAccess(place, sub, access)
      },
    }
  },
})

const lastPasskey = (name: string, { password }: { password: boolean }): string =>
  password
    ? `${name} has no password, and could not sign in without a passkey. Set a password first: ostiary user set-password`
    : `${name} could not sign in without a passkey: the realm has no passwords. Let the user add another one first: ${RECOVERY_LINK}`

type WayOperations = Omit<
  AccountOperations,
  'create' | 'update' | 'invite' | 'setDisabled' | 'setPassword' | 'delete'
>

export const wayOperations = (place: LocalPlace): WayOperations => {
  const { opened, tools } = place
  const { realm, tickets } = opened
  return {
    ...removals(place),
    waysIn: (user) => waysIn(place, user),
    async listFactors({ sub }) {
      const all = await opened.factors.list(sub)
      const shown = all.filter(({ kind }) => kind !== 'recovery')
      return {
        // Without the data of a factor: that of an app is a secret.
        factors: shown.map(({ data: _, state: __, sub: ___, ...factor }) => factor),
        recovery_codes: recoveryCodes(place, all),
      }
    },
    listLinks: async ({ sub }) => (await opened.links.list(sub)).map(({ sub: _, ...link }) => link),
    recoveryLink: (user) => tools.identity.createRecoveryLink(tickets, { realm, user, now: tools.now() }),
    async cancelRecovery({ sub }) {
      const waiting = await tickets.findOf(sub, 'wait')
      return waiting !== null && (await tickets.take(waiting.ticket_hash)) !== null
    },
  }
}
