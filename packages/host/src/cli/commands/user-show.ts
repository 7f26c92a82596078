import type { WaysIn } from '@ostiary/admin-client/remote'
import type { User } from '@ostiary/identity'
import type { Command } from '../command.js'
import { countLine, iso } from '../output.js'
import { NAMED_USER, ofUser } from '../workspace.js'
import { accessOf } from './user-access.js'
import { userJson, userText } from './user-text.js'

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
    ['ostiary user show --sub Q7vT1sUeGd9fKo5iWhXvNA', 'By sub'],
  ],
  ...ofUser(async (realm, user) => {
    const access = await accessOf(realm, user.sub)
    const ways = await realm.accounts.waysIn(user)
    const { passkeys, apps, recovery_codes, links, address, configured, invited_until, recovery_until } = ways
    return {
      text: [
        userText(user),
        invited_until && `Invited until: ${iso(invited_until)}`,
        recovery_until && `A recovery by mail waits or can begin until: ${iso(recovery_until)}`,
        configured && `In the configuration: ${configured}`,
        waysText(user, ways),
        address?.says,
        links.length > 0 && `Linked accounts: ${links.join(', ')}`,
        countLine('Has', access),
      ]
        .filter(Boolean)
        .join('\n'),
      json: {
        ...userJson(user),
        passkeys,
        apps,
        recovery_codes,
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

/** How the user signs in, and gets back in. */
const waysText = ({ second_step }: User, { password, passkeys, apps, recovery_codes }: WaysIn): string =>
  `Signs in with: password ${yes(password)}, passkeys ${passkeys}, app ${yes(apps > 0)}, recovery codes left ${recovery_codes}, second step ${second_step ? 'on' : 'off'}`

const yes = (is: boolean) => (is ? 'yes' : 'no')
