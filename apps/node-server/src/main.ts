/** The command line. */

import { serve } from './serve.js'

const USAGE = `Usage: node dist/main.js <command>

Commands:
  serve     Start the server
  --help    Show this text

Settings come from ./ostiary.config.json (or the file that OSTIARY_CONFIG names) and from the variables PORT, HOST,
OIDC_ISSUER, OIDC_SECRET, OIDC_CLIENTS_REGISTRATION_ENABLED and DATA_DIR. Without a file it is try-out mode.
`

const [command, ...rest] = process.argv.slice(2)
if (command === 'serve' && rest.length === 0) exit(await serve())
else if (command === '--help' || command === '-h' || command === 'help') process.stdout.write(USAGE)
else {
  const fault =
    command === undefined ? 'Name a command.' : `There is no command ${process.argv.slice(2).join(' ')}`
  process.stderr.write(`${fault}\n\n${USAGE}`)
  process.exitCode = 2
}

/** Whatever is still open, once the log is written. */
function exit(code: number): void {
  process.stdout.write('', () => process.exit(code))
}
