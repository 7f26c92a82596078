import { DEFAULT_REALM } from '../../config/entries.js'
import {
  type Command,
  type CommandContext,
  type CommandInput,
  failure,
  type ReportedResult,
} from '../command.js'
import { printable } from '../output.js'
import { addressOf, inServer, realmFailure } from '../workspace.js'

export const mailTest: Command = {
  name: 'mail test',
  effect: 'changes',
  summary: 'Send a test mail, and show what the mail server answers',
  about: ['A server that sends the mail, with --server, does not tell the words of the mail server.'],
  args: ['address'],
  of_realm: true,
  remote: true,
  examples: [['ostiary mail test ann@example.com', 'A mail to Ann']],
  async run(input, context) {
    const to = addressOf(input)
    return input.text('server') === undefined ? here(input, context, to) : there(input, context, to)
  },
}

const realmOf = (input: CommandInput): string => input.text('realm') ?? DEFAULT_REALM
const event = { count: { mails: 1 } }

async function here(input: CommandInput, { env, cwd }: CommandContext, to: string): Promise<ReportedResult> {
  const realm = realmOf(input)
  const { sendTestMail } = await import('../../management/test-mail.js')
  const { sent, lines, reply } = await realmFailure(sendTestMail(env, cwd, { to, realm }))
  const text = lines.join('\n')
  if (!sent) throw failure(text)
  return { text, json: { realm, to, reply }, event }
}

/** Why a server could not send a mail, as the API tells it. */
interface Sent {
  sent: boolean
  reason: string | null
}

const there = (input: CommandInput, context: CommandContext, to: string): Promise<ReportedResult> =>
  inServer(input, context, async (_realm, send) => {
    const answer = await send<Sent | null>('POST', ['mail', 'test'], { body: { to } })
    if (answer?.sent !== true)
      throw failure(
        `The mail was not sent: ${printable(String(answer?.reason))}. On the machine of the server, ostiary mail test shows what the mail server answers`,
      )
    return { text: 'The mail server has accepted the mail', json: { realm: realmOf(input), to }, event }
  })
