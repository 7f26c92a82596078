/** Asks before something that cannot be undone. */

import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type CommandOption,
  usageError,
} from './command.js'

export const YES_OPTION: Readonly<Record<string, CommandOption>> = {
  yes: { help: 'Do not ask; needed where no terminal is there to ask on' },
}

/** What an example with --yes is for. */
export const IN_A_SCRIPT = 'In a script, without a question'

/** What a command is going to do. */
export interface Plan {
  /** Lines that say what will happen. */
  effects: readonly string[]
  /** The name to type; `y` confirms when absent. */
  name?: string
}

/** Called before anything else: without a terminal and without --yes, nothing may be done. @throws CommandError (usage) */
export function requireConfirmable(input: CommandInput, { ask }: CommandContext): void {
  if (!input.flag('yes') && ask === undefined) throw notAsked()
}

const notAsked = (): CommandError =>
  usageError('it asks first, and there is no terminal to ask on: give --yes')

/** Says what will happen and asks, unless --yes is given. @throws CommandError when the answer is another one, or no terminal is there. */
export async function confirm(
  input: CommandInput,
  { ask, err }: CommandContext,
  { effects, name }: Plan,
): Promise<void> {
  if (input.flag('yes')) return
  if (ask === undefined) throw notAsked()
  err(`${effects.join('\n')}\n`)
  const question =
    name === undefined ? 'Continue? [y/N] ' : `This cannot be undone. Type ${name} to continue: `
  const answer = (await ask(question)).trim()
  const confirmed = name === undefined ? /^y(?:es)?$/i.test(answer) : answer === name
  if (!confirmed) throw new CommandError('Nothing was done')
}
