/** Reads what the account page shows. */

import type { Session } from '@ostiary/core'
import { accountPage } from '../pages/account.js'
import type { ClientView, PasswordChoice, Problem, SessionView } from '../pages/account-view.js'
import { recoveryBanner } from '../recovery/by-mail.js'
import { newPasswordView } from '../sign-in/new-password.js'
import { hasPassword, mayHavePassword } from '../sign-in/passwords-of.js'
import { liveDevices } from '../sign-in/remembered-devices.js'
import { clientAccess } from './clients.js'
import { type AccountContext, csrfBinding, linksIn, sectionsOf, takeNotice } from './context.js'
import { mayRemovePassword, passkeysOf } from './link-ways.js'
import { NOTHING_TOLD, takeSignals } from './signals.js'
import { waysView } from './ways-view.js'

/** How many rows the page shows. The user sees further rows after removing some of these. */
const MAX_SESSIONS_SHOWN = 50
const MAX_CLIENTS_SHOWN = 50
const MAX_CLIENTS_PER_SESSION = 10

export async function showAccount(
  c: AccountContext,
  problem: Problem | null = null,
  more_cookies: readonly string[] = [],
): Promise<Response> {
  const { management, realm, user, claims, csrf, request } = c
  const [sessions, clientsWithAccess, factors, remembered, sections, banner] = await Promise.all([
    management.sessions.list(user.sub),
    clientAccess(c),
    c.factors?.store.list(user.sub) ?? null,
    rememberedOf(c),
    sectionsOf(c),
    recoveryBanner(c, user),
  ])
  const live = liveSessions(c, sessions)
  const shown = live.slice(0, MAX_SESSIONS_SHOWN)
  const clients = clientsWithAccess.slice(0, MAX_CLIENTS_SHOWN)
  const ids = [...shown.flatMap(clientIdsOf), ...clients.map(({ client_id }) => client_id)]
  const clientOf = await clientFinder(c, new Set(ids))
  const { token, set_cookie } = csrf.issue(request, csrfBinding(c))
  const { notice, cookie } = takeNotice(c)
  const sectionsAt = (place?: 'end') => sections.filter((one) => one.place === place).map(({ html }) => html)
  const links = linksIn(sections)
  const has_password = hasPassword(c, user)
  const told = factors === null ? NOTHING_TOLD : takeSignals(c, factors)
  return accountPage(c, {
    realm,
    username: user.username,
    ways:
      c.factors &&
      factors &&
      waysView(c.factors, { user, has_password, factors, signals: told.signals, links }),
    banner,
    sections: sectionsAt(),
    at_end: sectionsAt('end'),
    has_links: sections.some(({ signs_in }) => signs_in !== undefined),
    remembered,
    claims,
    has_password,
    passwords: mayHavePassword(c, user) ? passwordChoice(c, { user, factors: factors ?? [], links }) : null,
    sessions: shown.map((session) => sessionView(c, session, clientOf)),
    more_sessions: live.length - shown.length,
    clients: clients.map(({ client_id, access }) => ({ ...clientOf(client_id), access })),
    more_clients: clientsWithAccess.length - clients.length,
    csrf_token: token,
    // A problem with the current form replaces the notice of an earlier one.
    notice: problem ? null : notice,
    problem,
    cookies: [set_cookie, cookie, told.cookie, ...more_cookies],
  })
}

const rememberedOf = ({ factors, user, now }: AccountContext) =>
  factors?.remembered ? liveDevices(factors.remembered, user, now()) : []

function passwordChoice(c: AccountContext, account: Parameters<typeof mayRemovePassword>[1]): PasswordChoice {
  return {
    may_set: passkeysOf(c, account) > 0,
    may_remove: mayRemovePassword(c, account),
    ...newPasswordView(c),
  }
}

/** This browser's session first, then the last used. Expired sessions that no job has ended yet are left out. */
const liveSessions = (c: AccountContext, sessions: Session[]): Session[] =>
  sessions
    .filter(({ expires_at }) => expires_at > c.now())
    .sort((a, b) => Number(isCurrent(c, b)) - Number(isCurrent(c, a)) || lastUse(b) - lastUse(a))

const lastUse = ({ last_used_at, created_at }: Session): number => last_used_at ?? created_at

const isCurrent = (c: AccountContext, { sid }: Session): boolean => sid === c.session.sid

const clientIdsOf = ({ client_ids }: Session): string[] => client_ids.slice(0, MAX_CLIENTS_PER_SESSION)

type ClientSummary = Omit<ClientView, 'access'>

async function clientFinder(c: AccountContext, ids: Set<string>): Promise<(id: string) => ClientSummary> {
  const found = new Map<string, ClientSummary>()
  const readClient = async (id: string) => {
    const client = await c.management.clients.find(id)
    if (!client) return
    const { client_id, client_name, origin, revoked_at } = client
    found.set(client_id, { client_id, client_name, origin, active: revoked_at === null })
  }
  await Promise.all([...ids].map(readClient))
  return (client_id) => found.get(client_id) ?? removedClient(c, client_id)
}

/** A client that has been removed, or whose document is not stored any more, is shown by its id: its consents are still stored. */
function removedClient({ realm }: AccountContext, client_id: string): ClientSummary {
  const { enabled } = realm.settings.clients.metadata_documents
  const is_document = enabled && client_id.startsWith('https://') && URL.canParse(client_id)
  const origin = is_document ? 'metadata_document' : 'operator'
  return { client_id, client_name: client_id, origin, active: false }
}

function sessionView(
  c: AccountContext,
  session: Session,
  clientOf: (id: string) => ClientSummary,
): SessionView {
  const { sid, auth_time, created_at, user_agent, amr, client_ids } = session
  const clients = clientIdsOf(session).map(clientOf)
  const more_clients = client_ids.length - clients.length
  return {
    sid,
    current: isCurrent(c, session),
    since: auth_time ?? created_at,
    last_used: lastUse(session),
    user_agent,
    amr,
    clients,
    more_clients,
  }
}
