/** The parts of the help texts that commander does not have. */

import { type Command, EXIT } from './command.js'

/** The exit codes and their meanings. */
export const EXIT_CODES: readonly (readonly [number, string])[] = [
  [EXIT.done, 'done'],
  [
    EXIT.failed,
    'the command failed: a fault of the configuration, no database, a fault that doctor found, …',
  ],
  [EXIT.usage, 'the command line is wrong; nothing was done'],
  [
    EXIT.not_found,
    'a client, a user, a factor, a session or a realm that the command line names does not exist',
  ],
]

export const SETTINGS = `Settings come from ./ostiary.config.json (or the file that OSTIARY_CONFIG names) and from variables such as
OIDC_SECRET and DATABASE_URL; docs/configuration.md lists all. The folder docs is in the repository of Ostiary, which
"npm repo @ostiary/server" opens. Without a file the server runs in try-out mode, unless the environment looks like a
deployment (see serve). Without DATABASE_URL the records are in an embedded database in DATA_DIR.`

/** The end of the help of the program. */
export const OVERVIEW = `
ostiary <command> --help shows the options of a command, with examples.

Exit codes:
${EXIT_CODES.map(([code, meaning]) => `  ${code}  ${meaning}`).join('\n')}

${SETTINGS}`

/** The end of the help of a command. */
export const examplesText = ({ examples }: Command): string =>
  `\nExamples:\n${examples.map(([line, meaning]) => `  # ${meaning}\n  ${line}`).join('\n')}`
