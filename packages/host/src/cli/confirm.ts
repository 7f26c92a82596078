/** Asks before something that cannot be undone. */

import { type CommandContext, type CommandInput, type CommandOption, failure, usageError } from './command.js'
import { printable } from './output.js'

export const YES_OPTION: Readonly<Record<string, CommandOption>> = {
  yes: { help: 'Do not ask; needed where no terminal is there to ask on' },
}

/** What a command is going to do. */
export interface Plan {
  /** Lines that say what will happen. */
  effects: readonly string[]
  /** The name to type; `y` confirms when absent. */
  name?: string
}

/** Says what will happen and asks, unless --yes or --plan is given: after all that can be wrong before is checked. @throws CommandError when the answer is another one, or no terminal is there. */
export async function confirm(
  input: CommandInput,
  { ask, err }: CommandContext,
  { effects, name }: Plan,
): Promise<void> {
  if (input.flag('yes') || input.flag('plan')) return
  if (ask === undefined) throw usageError('it asks first, and there is no terminal to ask on: give --yes')
  err(`${effects.map(printable).join('\n')}\n`)
  const question =
    name === undefined ? 'Continue? [y/N] ' : `This cannot be undone. Type ${printable(name)} to continue: `
  const answer = (await ask(question)).trim()
  const confirmed = name === undefined ? /^y(?:es)?$/i.test(answer) : answer === name
  if (!confirmed) throw failure('Nothing was done')
}
