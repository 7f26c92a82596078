import type { RealmOperations } from '@ostiary/admin-client/remote'
import type { User } from '@ostiary/identity'
import { type Command, type CommandInput, notFound, type ReportedResult, usageError } from '../command.js'
import { countLine, iso, printable, table } from '../output.js'
import { findUser, NAMED_USER, ofRealm, ofUser, SUB_OPTION } from '../workspace.js'

const list: Command = {
  name: 'session list',
  effect: 'reads',
  summary: 'List the sessions of a user',
  ...NAMED_USER,
  examples: [['ostiary session list ann', 'The sessions of ann']],
  ...ofUser(async (workspace, { sub }) => {
    const stored = await workspace.management.sessions.list(sub)
    const sessions = stored.map(({ session_hash: _, ...session }) => session)
    const rows = sessions.map(
      ({ sid, created_at, last_used_at, expires_at, amr, user_agent, client_ids }) => [
        sid,
        iso(created_at),
        iso(last_used_at ?? created_at),
        iso(expires_at),
        amr.join(' ') || '-',
        client_ids.join(' ') || '-',
        printable(user_agent ?? '-'),
      ],
    )
    return {
      text: table(['SID', 'SINCE', 'LAST USED', 'UNTIL', 'BY', 'CLIENTS', 'USER AGENT'], rows),
      json: { sessions },
    }
  }),
}

const end: Command = {
  name: 'session end',
  effect: 'changes',
  summary: 'End a session, or all sessions of a user',
  about: [
    'Like a logout: the grants of the session end, and a running server notifies its clients (back-channel logout). Grants with offline access stay: grant revoke ends them.',
  ],
  options: {
    sid: { value: 'sid', help: 'The session, as session list shows it; with --server, give --user too' },
    user: { value: 'username', help: 'All sessions of this user, or with --sid the user of the session' },
    sub: { ...SUB_OPTION, help: 'The value of --user is the sub, not the username' },
  },
  examples: [
    ['ostiary session end --sid Z4Yc8nPzRk2VbqH3xwLm0A', 'One session'],
    ['ostiary session end --user ann', 'All sessions of ann'],
  ],
  ...ofRealm(async (realm, input) => {
    const { sessions } = realm.management
    const { sid, username } = selectionOf(input)
    const user = username === undefined ? null : await findUser(realm, input, username)
    if (user !== null && sid === undefined) return endAll(realm, user)
    const is_another = user !== null && !(await sessions.list(user.sub)).some((one) => one.sid === sid)
    const end = sid === undefined || is_another ? null : await sessions.end(sid)
    if (sid === undefined || end === null) throw notFound(`There is no session ${sid}`)
    const count = { sessions: 1, grants: end.grants }
    return {
      text: countLine('Ended', count),
      json: { ended: [sid], grants: end.grants },
      event: { subject: { sid }, count },
    }
  }, selectionOf),
}

/** @throws CommandError (usage) */
function selectionOf(input: CommandInput) {
  const sid = input.text('sid')
  const username = input.text('user')
  if (sid === undefined && username === undefined) throw usageError('give --sid or --user')
  return { sid, username }
}

async function endAll({ management }: RealmOperations, { sub, username }: User): Promise<ReportedResult> {
  const { sids, grants } = await management.sessions.endAll(sub)
  const count = { sessions: sids.length, grants }
  const remaining = (await management.grants.list(sub)).length
  const name = printable(username)
  return {
    text: countLine('Ended', count),
    json: { ended: sids, grants },
    event: { subject: { sub, username }, count },
    ...(remaining > 0 && {
      note: `${remaining} offline ${remaining === 1 ? 'grant' : 'grants'} of ${name} left; to revoke: ostiary grant revoke ${name}`,
    }),
  }
}

export const session: readonly Command[] = [list, end]
