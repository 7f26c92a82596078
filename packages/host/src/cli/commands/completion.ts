import { type Command, usageError } from '../command.js'
import { completionScript, isShell, SHELLS } from '../completion.js'

/** @param commands Called when the command runs: the command is in the list itself. */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  effect: 'reads',
  summary: 'Print a script that completes commands and options in bash, zsh or fish',
  about: [
    'The script completes the word `ostiary`, a program or an alias. It has the commands and options of this version: print it again after an update.',
  ],
  args: ['shell'],
  examples: [
    ['ostiary completion bash', 'For ~/.bashrc: source <(ostiary completion bash)'],
    ['ostiary completion zsh', 'For ~/.zshrc, after compinit: source <(ostiary completion zsh)'],
    ['ostiary completion fish', 'For ~/.config/fish/config.fish: ostiary completion fish | source'],
  ],
  async run({ args: [shell = ''] }) {
    if (!isShell(shell))
      throw usageError(`there is no completion for ${JSON.stringify(shell)}: give ${SHELLS.join(', ')}`)
    const script = completionScript(shell, commands())
    return { text: script, json: { shell, script } }
  },
})
