import type { Finding } from '../../doctor/finding.js'
import { type Command, EXIT } from '../command.js'

const MARKS: Record<Finding['status'], string> = { ok: 'ok', note: 'note', fault: 'FAULT' }

const WHERE_REFUSALS_ARE =
  'When a client or a sign-in is refused, the cause is in the log of the server: events that end in refused or failed.\n'

export const doctor: Command = {
  name: 'doctor',
  effect: 'reads',
  summary: 'Check the server, and say what to do about each fault',
  about: [
    'It checks configuration, discovery document, ports, database and schema, clock, Redis, signing keys, factors of users, hosts of client metadata documents, other providers, mail server, and receivers of the audit. It changes nothing.',
  ],
  options: {
    offline: {
      help: 'Ask neither the issuer, which does not run yet, nor other hosts',
    },
  },
  examples: [
    ['ostiary doctor --offline', 'Before the first start'],
    ['ostiary doctor', 'While the server runs'],
    ['ostiary doctor --json', 'JSON for a monitoring system'],
  ],
  async run(input, { env, cwd }) {
    // The module loads the client of PostgreSQL: a server with another database must not spend memory on it.
    const { doctor: check } = await import('../../doctor/doctor.js')
    const checks = await check(env, { cwd, offline: input.flag('offline') })
    const faults = checks.filter(({ status }) => status === 'fault').length
    const text = checks
      .map(({ check, status, message, advice }) => {
        const line = `${MARKS[status].padEnd(5)}  ${check}: ${message}`
        return advice === undefined ? line : `${line}\n       ${advice}`
      })
      .join('\n')
    const summary = faults === 0 ? 'No faults.' : `${faults} fault${faults === 1 ? '' : 's'}.`
    return {
      text: `${text}\n\n${checks.some(({ check }) => check !== 'configuration') ? WHERE_REFUSALS_ARE : ''}${summary}`,
      json: { faults, checks },
      code: faults === 0 ? EXIT.done : EXIT.failed,
    }
  },
}
