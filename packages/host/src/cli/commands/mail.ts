import { DEFAULT_REALM } from '../../config/entries.js'
import { type Command, failure } from '../command.js'
import { addressOf, realmFailure } from '../workspace.js'

export const mailTest: Command = {
  name: 'mail test',
  effect: 'changes',
  summary: 'Send a test mail, and show what the mail server answers',
  args: ['address'],
  of_realm: true,
  examples: [['ostiary mail test ann@example.com', 'A mail to Ann']],
  async run(input, { env, cwd }) {
    const to = addressOf(input)
    const realm = input.text('realm') ?? DEFAULT_REALM
    const { sendTestMail } = await import('../../management/test-mail.js')
    const { sent, lines, reply } = await realmFailure(sendTestMail(env, cwd, { to, realm }))
    const text = lines.join('\n')
    if (!sent) throw failure(text)
    return { text, json: { realm, to, reply }, event: { count: { mails: 1 } } }
  },
}
