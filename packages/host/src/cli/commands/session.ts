import { type Command, notFound, usageError } from '../command.js'
import { iso, table } from '../output.js'
import { findUser, inRealm, SUB } from '../workspace.js'

const list: Command = {
  name: 'session list',
  summary: 'Show where a user is signed in',
  args: ['username'],
  options: { sub: SUB },
  of_realm: true,
  examples: [['ostiary session list ann', 'The sessions of ann']],
  run: (input, surroundings) =>
    inRealm(input, surroundings, async (workspace) => {
      const { sub } = await findUser(workspace, input)
      const found = await workspace.management.sessions.list(sub)
      const sessions = found.map(({ session_hash: _, ...session }) => session)
      const rows = sessions.map(({ sid, created_at, expires_at, amr, client_ids }) => [
        ...[sid, iso(created_at), iso(expires_at), amr.join(' ') || '-', client_ids.join(' ') || '-'],
      ])
      return { text: table(['SID', 'SINCE', 'UNTIL', 'BY', 'CLIENTS'], rows), json: { sessions } }
    }),
}

const end: Command = {
  name: 'session end',
  summary: 'End a session, or all of a user',
  about: [
    'Like a logout: the tokens that hang on it end, and its clients are told by the server that runs (back-channel logout). What a client holds for offline access stays.',
  ],
  options: {
    sid: { value: 'sid', help: 'This one, as session list shows it' },
    user: { value: 'username', help: 'All of this user' },
    sub: { ...SUB, help: 'What --user names is the sub, not the username' },
  },
  of_realm: true,
  examples: [
    ['ostiary session end --sid Z4Yc8nPzRk2VbqH3xwLm0A', 'One session'],
    ['ostiary session end --user ann', 'Wherever ann is signed in'],
  ],
  run(input, surroundings) {
    const [sid, username] = [input.text('sid'), input.text('user')]
    if ((sid === undefined) === (username === undefined)) throw usageError('Give --sid or --user')
    return inRealm(input, surroundings, async (workspace) => {
      const { sessions } = workspace.management
      if (sid !== undefined && !(await sessions.end(sid))) throw notFound(`There is no session ${sid}`)
      const ended: string[] = sid === undefined ? [] : [sid]
      if (username !== undefined) {
        const { sub } = await findUser(workspace, input, username)
        for (const session of await sessions.list(sub))
          if (await sessions.end(session.sid)) ended.push(session.sid)
      }
      return { text: `Ended: ${ended.length}`, json: { ended } }
    })
  },
}

export const session = [list, end]
