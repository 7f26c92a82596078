import type { Finding } from '../../doctor/finding.js'
import { type Command, EXIT } from '../command.js'

const MARKS: Record<Finding['status'], string> = { ok: 'ok', note: 'note', fault: 'FAULT' }

export const doctor: Command = {
  name: 'doctor',
  summary: 'Look for what is wrong, and say what to do about it',
  about: [
    'It reads the configuration, asks the issuer for its discovery document, and looks at the port, the database and its schema, the clock, Redis and the signing keys. It changes nothing. A note is worth a look; a fault makes the exit code 1.',
  ],
  options: { offline: { help: 'Do not ask the issuer: the server is not started yet' } },
  examples: [
    ['ostiary doctor --offline', 'Before the first start'],
    ['ostiary doctor', 'While the server runs'],
    ['ostiary doctor --json', 'For a monitor'],
  ],
  async run(input, { env, cwd }) {
    // With it come all clients of databases, which cost memory.
    const { doctor: examine } = await import('../../doctor/doctor.js')
    const checks = await examine(env, { cwd, offline: input.flag('offline') })
    const faults = checks.filter(({ status }) => status === 'fault').length
    const text = checks
      .map(({ check, status, message, advice }) => {
        const line = `${MARKS[status].padEnd(5)}  ${check}: ${message}`
        return advice === undefined ? line : `${line}\n       ${advice}`
      })
      .join('\n')
    const sum = faults === 0 ? 'No faults.' : `${faults} fault${faults === 1 ? '' : 's'}.`
    return {
      text: `${text}\n\n${sum}`,
      json: { faults, checks },
      code: faults === 0 ? EXIT.done : EXIT.failed,
    }
  },
}
