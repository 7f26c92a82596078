import { moveDatabase } from '../../management/move.js'
import type { Command } from '../command.js'
import { confirm, YES_OPTION } from '../confirm.js'
import { countTable } from '../output.js'

export const move: Command = {
  name: 'move',
  effect: 'changes',
  summary: 'Copy the embedded database to the PostgreSQL that DATABASE_URL names',
  about: [
    'Stop the server, run this with DATABASE_URL, DATA_DIR and its OIDC_SECRET, and start it with DATABASE_URL: all but the counters of failed sign-ins stays, and no user signs in again.',
    'The database must have no records. It gets all of them, or none. The embedded database stays as it is; delete its folder when the server works.',
  ],
  options: YES_OPTION,
  examples: [['ostiary move', 'Says what it will copy, asks, and copies it']],
  async run(input, context) {
    const moved = await moveDatabase(context.env, {
      cwd: context.cwd,
      approve: (plan) => confirm(input, context, { effects: effectsOf(plan) }),
    })
    const { folder, tables, ends_sessions } = moved
    return {
      text: countTable(['TABLE', 'ROWS'], tables),
      json: { folder, tables, ends_sessions },
      event: { count: tables },
      note: [
        ...(ends_sessions ? [SESSIONS_NOTE] : []),
        `Everything is copied. Start the server with DATABASE_URL. The embedded database in ${folder} is unchanged: delete the folder when the server works.`,
      ].join('\n'),
    }
  },
}

const SESSIONS_NOTE =
  'The sessions are to be in Redis (OSTIARY_SESSIONS): users sign in again, as the sessions that are moved are not used.'

function effectsOf({ folder, tables, ends_sessions }: Awaited<ReturnType<typeof moveDatabase>>): string[] {
  const filled = Object.entries(tables).filter(([, count]) => count > 0)
  return [
    `The records of ${folder} will be copied to the database that DATABASE_URL names:`,
    ...filled.map(([name, count]) => `  ${name}: ${count}`),
    ...(ends_sessions ? [SESSIONS_NOTE] : []),
  ]
}
