/** What commands do with the users of a realm, in the storage of this machine. */

import type { User, UserInput } from '@ostiary/identity'
import type { MailOptions } from '@ostiary/identity/mail'
import type { AccountOperations, AccountPassword } from '../remote/realm.js'
import type { LocalPlace, LocalRealm, LocalTools } from './place.js'
import { endAccess, RECOVERY_LINK, wayOperations } from './ways-in.js'

/** @throws the error of a command in a realm without passwords. */
function refuseWithoutPasswords({ tools, opened }: LocalPlace): void {
  if (hasPasswords(opened)) return
  throw tools.failure(
    `identity.password.enabled is false: users of this realm have no passwords. Let the user in with ${RECOVERY_LINK}`,
  )
}

const hasPasswords = ({ entries }: LocalRealm): boolean => entries.identity.password?.enabled !== false

/** @throws the error of a command for a password against the rules of the realm, unless it was generated or is forced. */
async function requirePasswordRules(
  { tools }: LocalPlace,
  { password, generated, force }: AccountPassword,
  account: { username: string; email: unknown },
): Promise<void> {
  if (generated || force) return
  const rules = await tools.passwordRules()
  const fault = rules && (await tools.identity.passwordRulesFault(rules, { password, ...account }))
  if (fault) throw tools.failure(`${fault}. Choose another one, or give --force`)
}

async function create(
  place: LocalPlace,
  { sub, ...input }: UserInput,
  given: AccountPassword | null,
): ReturnType<AccountOperations['create']> {
  const { opened, tools } = place
  const { users, storage, entries } = opened
  if (given?.generated === false) refuseWithoutPasswords(place)
  const password = hasPasswords(opened) ? given : null
  const is_configured = entries.clients.some(({ metadata }) => metadata.client_id === sub)
  if (sub !== undefined && (is_configured || (await storage.clients.find(sub))))
    throw tools.failure(`--sub: ${JSON.stringify(sub)} is the client_id of a client; take another one`)
  const { username, email } = input
  if (password) await requirePasswordRules(place, password, { username, email })
  const user = await tools.identity.createUser(users, {
    ...input,
    ...(sub !== undefined && { sub }),
    ...(password && { password: password.password }),
  })
  return { user, with_password: password !== null, has_passwords: hasPasswords(opened) }
}

/** Null in a realm that mails nothing. A server sends what the command stores. */
function mailOf({ entries, mails: queue }: LocalRealm): MailOptions | null {
  if (entries.mail === null) return null
  const { from, per_hour } = entries.mail
  const mailer = { send: () => Promise.reject(new Error('a command sends no mail')) }
  return { queue, of: () => ({ mailer, from, per_hour }) }
}

function invite({ opened, tools }: LocalPlace, input: UserInput, print: boolean) {
  const { users, tickets, factors, realm, storage, config } = opened
  const mail = print ? null : mailOf(opened)
  const options = {
    users: () => users,
    tickets: () => tickets,
    factors: () => factors,
    throttle: () => storage.throttle,
    secret: config.secret,
    ...(mail && { mail }),
  }
  return tools.identity.inviteUser(options, realm, input)
}

/** The users of a realm whose storage is open. */
export function localAccounts(opened: LocalRealm, tools: LocalTools): AccountOperations {
  const place = { opened, tools }
  const { users, management } = opened
  const { setDisabled, setPassword, updateUser } = tools.identity
  return {
    ...wayOperations(place),
    create: (input, password) => create(place, input, password),
    update: (change) => updateUser(users, change),
    invite: (input, print) => invite(place, input, print),
    async setDisabled({ sub, disabled_at }, disabled, access) {
      if ((disabled_at !== null) !== disabled) await setDisabled(users, { sub, disabled })
      return disabled ? endAccess(place, sub, access) : null
    },
    async setPassword({ sub, username, claims }: User, password, access) {
      refuseWithoutPasswords(place)
      await requirePasswordRules(place, password, { username, email: claims.email })
      await setPassword(users, { sub, password: password.password })
      return endAccess(place, sub, access)
    },
    async delete({ sub }) {
      // Disabled first: no sign-in and no approval that is under way can leave a session, a grant or a consent.
      await setDisabled(users, { sub, disabled: true })
      const ended = await management.users.delete(sub)
      await users.delete(sub)
      return ended
    },
  }
}
