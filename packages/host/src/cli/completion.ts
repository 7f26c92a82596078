/**
 * Scripts that complete the command line, generated from the commands. They are static: @bomb.sh/tab, which works with
 * commander, starts `ostiary` at each Tab, which takes 130 ms of CPU time.
 */

import type { Command, CommandOption } from './command.js'
import { COMMON_FLAGS, optionsOf } from './parse.js'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

export const isShell = (text: string): text is Shell => SHELLS.some((shell) => shell === text)

/** A word that can be completed, with its meaning. */
interface Candidate {
  word: string
  meaning: string
}

/** The words of the command line, as the scripts of all shells need them. */
interface CompletionTree {
  /** Commands of one word, and groups. */
  first: Candidate[]
  /** The second words of each group. */
  groups: Map<string, Candidate[]>
  /** The options of each command, by its name. */
  commands: Map<string, Candidate[]>
  /** Options after which no word can be completed, and those with choices. */
  values: Map<string, readonly string[]>
}

export function completionScript(shell: Shell, commands: readonly Command[]): string {
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }
  return scripts[shell](treeOf(commands))
}

function treeOf(commands: readonly Command[]): CompletionTree {
  const groups = new Map<string, Candidate[]>()
  for (const { name, summary } of commands) {
    const [group = '', word] = name.split(' ')
    if (word !== undefined) groups.set(group, [...(groups.get(group) ?? []), { word, meaning: summary }])
  }
  const singles = commands.filter(({ name }) => !name.includes(' '))
  return {
    first: [
      ...singles.map(({ name, summary }) => ({ word: name, meaning: summary })),
      ...[...groups.keys()].map((word) => ({ word, meaning: `The commands of ${word}` })),
    ],
    groups,
    commands: new Map(commands.map((command) => [command.name, optionCandidates(command)])),
    values: valuesOf(commands.flatMap((command) => Object.entries(optionsOf(command)))),
  }
}

/** Without an option that is a flag of another command, such as --sub: the scripts know an option only by its name. */
function valuesOf(options: readonly [string, CommandOption][]): Map<string, readonly string[]> {
  const flags = new Set(options.flatMap(([name, { value }]) => (value === undefined ? [name] : [])))
  const valued = options.filter(([name]) => !flags.has(name))
  return new Map(valued.map(([name, { choices }]) => [`--${name}`, choices ?? []]))
}

const optionCandidates = (command: Command): Candidate[] =>
  Object.entries({ ...optionsOf(command), ...COMMON_FLAGS }).map(([name, { help }]) => ({
    word: `--${name}`,
    meaning: help,
  }))

const wordsOf = (candidates: readonly Candidate[]): string => candidates.map(({ word }) => word).join(' ')

/** Puts the text in single quotes, as a shell reads them. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A pattern of bash and zsh for the position of the word, a space, and the first two words. */
const commandPattern = (name: string): string => (name.includes(' ') ? `*' ${name}'` : `*' ${name} '*`)

function bashScript({ first, groups, commands, values }: CompletionTree): string {
  const branch = (pattern: string, words: string) => `    ${pattern}) words=${quoted(words)} ;;`
  return [
    '# Completion of ostiary for bash',
    '_ostiary() {',
    "  local words=''",
    `  case "$COMP_CWORD \${COMP_WORDS[1]} \${COMP_WORDS[2]}" in`,
    branch("'1 '*", wordsOf(first)),
    ...[...groups].map(([group, members]) => branch(`'2 ${group} '*`, wordsOf(members))),
    ...[...commands].map(([name, options]) => branch(commandPattern(name), wordsOf(options))),
    '  esac',
    `  case "\${COMP_WORDS[COMP_CWORD - 1]}" in`,
    ...[...values].map(([option, choices]) => branch(option, choices.join(' '))),
    '  esac',
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    '}',
    'complete -F _ostiary ostiary',
  ].join('\n')
}

function zshScript({ first, groups, commands, values }: CompletionTree): string {
  const branch = (pattern: string, words: readonly string[]) =>
    `    ${pattern}) candidates=(${words.map(quoted).join(' ')}) ;;`
  const described = (candidates: readonly Candidate[]) =>
    candidates.map(({ word, meaning }) => `${word}:${meaning}`)
  return [
    '#compdef ostiary',
    '# Completion of ostiary for zsh',
    '_ostiary() {',
    '  local -a candidates',
    '  case "$CURRENT $words[2] $words[3]" in',
    branch("'2 '*", described(first)),
    ...[...groups].map(([group, members]) => branch(`'3 ${group} '*`, described(members))),
    ...[...commands].map(([name, options]) => branch(commandPattern(name), described(options))),
    '  esac',
    '  case "$words[CURRENT-1]" in',
    ...[...values].map(([option, choices]) => branch(option, choices)),
    '  esac',
    '  _describe ostiary candidates',
    '}',
    'compdef _ostiary ostiary',
  ].join('\n')
}

function fishScript({ first, groups, commands, values }: CompletionTree): string {
  const seen = (words: string) => `__fish_seen_subcommand_from ${words}`
  const line = (condition: string, rest: string) => `complete -c ostiary -n ${quoted(condition)} ${rest}`
  const word = ({ word: name, meaning }: Candidate) => `-a ${name} -d ${quoted(meaning)}`
  const option = ({ word: name, meaning }: Candidate) => {
    const choices = values.get(name)
    const value = choices === undefined ? '' : ` -x -a ${quoted(choices.join(' '))}`
    return `-l ${name.slice(2)}${value} -d ${quoted(meaning)}`
  }
  return [
    '# Completion of ostiary for fish',
    'complete -c ostiary -f',
    ...first.map((candidate) => line('__fish_use_subcommand', word(candidate))),
    ...[...groups].flatMap(([group, members]) =>
      members.map((member) => line(`${seen(group)}; and not ${seen(wordsOf(members))}`, word(member))),
    ),
    ...[...commands].flatMap(([name, options]) => {
      const condition = name.split(' ').map(seen).join('; and ')
      return options.map((candidate) => line(condition, option(candidate)))
    }),
  ].join('\n')
}
