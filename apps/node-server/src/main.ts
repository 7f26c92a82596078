/** The command line. */

import { serve } from '@ostiary/host'
import { keys } from './keys.js'
import { migrate } from './migrate.js'
import { node } from './runtime.js'

const USAGE = `Usage: node dist/main.js <command>

Commands:
  serve            Start the server
  migrate          Bring the schema of the database that DATABASE_URL names up to date
  migrate --plan   Show what that would do, and change nothing
  keys list        Show the signing keys
  keys rotate      Publish a new signing key; it signs once every cached JWKS holds it, without a restart
  --help           Show this text

keys takes --realm <id>; without it, it is about the realm default.

Settings come from ./ostiary.config.json (or the file that OSTIARY_CONFIG names) and from the variables PORT, HOST,
OIDC_ISSUER, OIDC_SECRET, OIDC_CLIENTS_REGISTRATION_ENABLED, DATABASE_URL, REDIS_URL and DATA_DIR. Without a file it
is try-out mode; without DATABASE_URL the records are in an embedded database in DATA_DIR.
`

const [command, ...rest] = process.argv.slice(2)
const line = [command, ...rest].join(' ')
const keysLine = /^keys (list|rotate)(?: --realm (\S+))?$/.exec(line)
if (line === 'serve') exit(await serve(node))
else if (line === 'migrate' || line === 'migrate --plan')
  exit(await migrate({ plan_only: line !== 'migrate' }))
else if (keysLine) exit(await keys({ rotate: keysLine[1] === 'rotate', realm: keysLine[2] ?? 'default' }))
else if (command === '--help' || command === '-h' || command === 'help') process.stdout.write(USAGE)
else {
  const fault = command === undefined ? 'Name a command.' : `There is no command ${line}`
  process.stderr.write(`${fault}\n\n${USAGE}`)
  process.exitCode = 2
}

/** Whatever is still open, once the log is written. */
function exit(code: number): void {
  process.stdout.write('', () => process.exit(code))
}
