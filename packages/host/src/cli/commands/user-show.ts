import { passkeysFor, signInSettings, type TicketPurpose, type User } from '@ostiary/identity'
import type { Command } from '../command.js'
import { countLine, iso } from '../output.js'
import { NAMED_USER, ofUser, type Workspace } from '../workspace.js'
import { isOpen } from './user/invite.js'
import { accessOf } from './user-access.js'
import { recoveryCodes } from './user-factors.js'
import { configuredPath, userJson, userText } from './user-text.js'

export const show: Command = {
  name: 'user show',
  effect: 'reads',
  summary: 'Show one user',
  about: [
    'With the ways to sign in, and the numbers of sessions, grants and consents, which commands such as session list show.',
  ],
  ...NAMED_USER,
  examples: [
    ['ostiary user show ann', 'All fields of ann'],
    ['ostiary user show --sub Q7vT1sUeGd9fKo5iWhXvNA --json', 'By sub, as JSON'],
  ],
  ...ofUser(async (workspace, user) => {
    const access = await accessOf(workspace, user.sub)
    const settings = signInSettings(workspace.realm, workspace.entries.identity)
    const factors = await workspace.factors.list(user.sub)
    const ways = {
      passkeys: passkeysFor(settings.passkeys, factors).length,
      apps: factors.filter(({ kind }) => kind === 'totp').length,
      recovery_codes: recoveryCodes(factors),
    }
    const links = await workspace.links.list(user.sub)
    const address = await workspace.by_email?.useOf(workspace.realm.id, user)
    const configured = configuredPath(workspace, user)
    const invited_until = await openUntil(workspace, user, 'invite')
    const recovery_until = await openUntil(workspace, user, 'wait')
    return {
      text: [
        userText(user),
        invited_until && `Invited until: ${iso(invited_until)}`,
        recovery_until && `A recovery by mail waits or can begin until: ${iso(recovery_until)}`,
        configured && `In the configuration: ${configured}`,
        waysText(user.password_hash !== null && settings.password, user, ways),
        address?.says,
        links.length > 0 && `Linked accounts: ${links.map(({ upstream }) => upstream).join(', ')}`,
        countLine('Has', access),
      ]
        .filter(Boolean)
        .join('\n'),
      json: {
        ...userJson(user),
        ...ways,
        links: links.length,
        address: address?.use,
        ...access,
        configured,
        invited_until,
        recovery_until,
      },
    }
  }),
}

/** Null when there is no such ticket that can be used. */
async function openUntil({ tickets }: Workspace, user: User, purpose: TicketPurpose): Promise<number | null> {
  const ticket = await tickets.findOf(user.sub, purpose)
  return ticket && isOpen(ticket, user, Date.now() / 1000) ? ticket.expires_at : null
}

/** Of a user, in numbers. */
interface WaysIn {
  /** Those that work here: not those of another RP ID. */
  passkeys: number
  apps: number
  /** Recovery codes that are left. */
  recovery_codes: number
}

/** How the user signs in, and gets back in. */
const waysText = (
  password: boolean,
  { second_step }: User,
  { passkeys, apps, recovery_codes }: WaysIn,
): string =>
  `Signs in with: password ${yes(password)}, passkeys ${passkeys}, app ${yes(apps > 0)}, recovery codes left ${recovery_codes}, second step ${second_step ? 'on' : 'off'}`

const yes = (is: boolean) => (is ? 'yes' : 'no')
