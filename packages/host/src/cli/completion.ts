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
  /** The next words of each group, by the words of the group. */
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
  const groups = groupsOf(commands)
  const singles = commands.filter(({ name }) => !name.includes(' '))
  const first_groups = [...groups.keys()].filter((name) => !name.includes(' '))
  return {
    first: [
      ...singles.map(({ name, summary }) => ({ word: name, meaning: summary })),
      ...first_groups.map((word) => ({ word, meaning: `The commands of ${word}` })),
    ],
    groups,
    commands: new Map(commands.map((command) => [command.name, optionCandidates(command)])),
    values: valuesOf(commands.flatMap((command) => Object.entries(optionsOf(command)))),
  }
}

function groupsOf(commands: readonly Command[]): Map<string, Candidate[]> {
  const groups = new Map<string, Candidate[]>()
  const add = (group: string, candidate: Candidate) => {
    const members = groups.get(group) ?? []
    if (!members.some(({ word }) => word === candidate.word)) groups.set(group, [...members, candidate])
  }
  for (const { name, summary } of commands) {
    const words = name.split(' ')
    for (const [index, word] of words.entries()) {
      const path = words.slice(0, index + 1).join(' ')
      const meaning = path === name ? summary : `The commands of ${path}`
      if (index > 0) add(words.slice(0, index).join(' '), { word, meaning })
    }
  }
  return groups
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

/** Words that the name of a command has at most. */
const MAX_WORDS = 3
const wordCount = (name: string): number => name.split(' ').length

/** A pattern of bash and zsh for the position of the word, a space, and the first three words. */
const commandPattern = (name: string): string =>
  wordCount(name) === MAX_WORDS ? `*' ${name}'` : `*' ${name} '*`
/** @param first The position of the first word after the program's name. */
const groupPattern = (group: string, first: number): string => `'${first + wordCount(group)} ${group} '*`

/** Chooses by the position of the word, and by the words before it. @param position Of the first word after the program's name. */
const branches = (
  { first, groups, commands }: CompletionTree,
  position: number,
  branch: (pattern: string, candidates: readonly Candidate[]) => string,
): string[] => [
  branch(`'${position} '*`, first),
  ...[...groups].map(([group, members]) => branch(groupPattern(group, position), members)),
  ...[...commands].map(([name, options]) => branch(commandPattern(name), options)),
]

function bashScript(tree: CompletionTree): string {
  const branch = (pattern: string, words: string) => `    ${pattern}) words=${quoted(words)} ;;`
  return [
    '# Completion of ostiary for bash',
    '_ostiary() {',
    "  local words=''",
    `  case "$COMP_CWORD \${COMP_WORDS[1]} \${COMP_WORDS[2]} \${COMP_WORDS[3]}" in`,
    ...branches(tree, 1, (pattern, found) => branch(pattern, wordsOf(found))),
    '  esac',
    `  case "\${COMP_WORDS[COMP_CWORD - 1]}" in`,
    ...[...tree.values].map(([option, choices]) => branch(option, choices.join(' '))),
    '  esac',
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    '}',
    'complete -F _ostiary ostiary',
  ].join('\n')
}

function zshScript(tree: CompletionTree): string {
  const branch = (pattern: string, words: readonly string[]) =>
    `    ${pattern}) candidates=(${words.map(quoted).join(' ')}) ;;`
  const described = ({ word, meaning }: Candidate) => `${word}:${meaning}`
  return [
    '#compdef ostiary',
    '# Completion of ostiary for zsh',
    '_ostiary() {',
    '  local -a candidates',
    '  case "$CURRENT $words[2] $words[3] $words[4]" in',
    ...branches(tree, 2, (pattern, found) => branch(pattern, found.map(described))),
    '  esac',
    '  case "$words[CURRENT-1]" in',
    ...[...tree.values].map(([option, choices]) => branch(option, choices)),
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
  const within = (name: string) => name.split(' ').map(seen).join('; and ')
  return [
    '# Completion of ostiary for fish',
    'complete -c ostiary -f',
    ...first.map((candidate) => line('__fish_use_subcommand', word(candidate))),
    ...[...groups].flatMap(([group, members]) =>
      members.map((member) => line(`${within(group)}; and not ${seen(wordsOf(members))}`, word(member))),
    ),
    ...[...commands].flatMap(([name, options]) =>
      options.map((candidate) => line(within(name), option(candidate))),
    ),
  ].join('\n')
}
