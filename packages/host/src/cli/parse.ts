/** Parses a command line, with commander. Its version 14 is the newest one that runs on Node 20; 15 needs 22.12. */

import {
  Argument,
  Command as CommanderCommand,
  CommanderError,
  Option as CommanderOption,
  Help,
  InvalidArgumentError,
} from 'commander'
import { programVersion } from '../config/version.js'
import { type Command, type CommandInput, type CommandOption, usageError } from './command.js'
import { examplesText, OVERVIEW } from './help.js'

/** A command with its input, or the help text or the version that the command line asks for. */
export type ParsedLine = { command: Command; input: CommandInput } | { help: string } | { version: string }

const JSON_FLAG = 'Print one JSON document instead of a text; errors too, on standard error'
const HELP_FLAG = 'Show this text'

const REALM: CommandOption = { value: 'id', help: 'The realm that the command concerns (default: default)' }

const SERVER: CommandOption = {
  value: 'url',
  help: 'Work on this server, over its admin API, as ostiary login has signed you in (default: on this machine)',
}

const PLAN: CommandOption = {
  help: 'With --server: show what the first change would be and what it would end, and change nothing',
}

/** The options of a command, except --json and --help, which every command has. */
export const optionsOf = ({
  options = {},
  of_realm,
  remote,
  effect,
}: Command): Readonly<Record<string, CommandOption>> => ({
  ...options,
  ...(of_realm && { realm: REALM }),
  ...(remote && { server: SERVER }),
  ...(remote && effect === 'changes' && !('plan' in options) && { plan: PLAN }),
})

/** Where the commands are listed: those of the group with which the words begin. */
function listOfCommands(commands: readonly Command[], words: readonly string[]): string {
  const isGroup = (text: string) => commands.some(({ name }) => name.startsWith(`${text} `))
  const group = words.filter((_, index) => isGroup(words.slice(0, index + 1).join(' ')))
  return `${['ostiary', ...group].join(' ')} --help lists the commands.`
}

/** The packages of a clone have the version 0.0.0; a release sets another one. */
export const versionText = (version: string): string =>
  version === '0.0.0' ? `${version} (not released)` : version

/** The flags of every command. */
export const COMMON_FLAGS: Readonly<Record<string, CommandOption>> = {
  json: { help: JSON_FLAG },
  help: { help: HELP_FLAG },
}

/** @throws CommandError (usage) */
export function parseCommandLine(commands: readonly Command[], argv: readonly string[]): ParsedLine {
  refuseSecrets(argv)
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv]
  let parsed: ParsedLine | undefined
  let out = ''
  let err = ''
  const program = createProgram().configureOutput({
    writeOut: (text) => {
      out += text
    },
    writeErr: (text) => {
      err += text
    },
    // The caller prints the message of the error, then the help, which `err` has.
    outputError: () => {},
  })
  for (const command of commands) {
    const leaf = addCommand(program, command, words)
    leaf.action(() => {
      parsed = { command, input: inputOf(leaf) }
    })
  }
  try {
    program.parse(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.version') return { version: out.trim() }
    if (error.exitCode === 0) return { help: out }
    // All commands, after one mistyped word, would hide the sentence that says which one was meant.
    const is_unknown = error.code === 'commander.unknownCommand'
    const help = is_unknown ? listOfCommands(commands, words) : err.trim()
    throw usageError(faultText(error, words), help)
  }
  return parsed ?? { help: out }
}

function createProgram(): CommanderCommand {
  return new CommanderCommand('ostiary')
    .usage('<command> [options]')
    .option('--json', JSON_FLAG)
    .version(versionText(programVersion()), '-V, --version', 'Show the version of the program')
    .helpOption('-h, --help', HELP_FLAG)
    .helpCommand(false)
    .addHelpText('after', OVERVIEW)
    .showHelpAfterError()
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, formatHelp })
}

/** Adds a command to the program, and its groups if it is the first one of them. */
function addCommand(program: CommanderCommand, command: Command, words: readonly string[]): CommanderCommand {
  const groups = command.name.split(' ')
  const word = groups.pop() ?? ''
  const leaf = groups.reduce((parent, name) => groupOf(parent, name), program).command(word)
  leaf
    .summary(command.summary)
    .description([`${command.summary}.`, ...(command.about ?? [])].join('\n\n'))
    .usage(usageArguments(command))
    .addHelpText('after', examplesText(command))
  for (const name of command.args ?? [])
    leaf.addArgument(new Argument(argumentTerm(name)).argParser(notEmpty))
  for (const [name, option] of Object.entries(optionsOf(command)))
    leaf.addOption(commanderOption(name, option, words))
  // Read and refused: a command must not work on this machine when another one was meant.
  if (!command.remote) leaf.addOption(commanderOption('server', SERVER, words).hideHelp())
  return leaf
}

function groupOf(parent: CommanderCommand, name: string): CommanderCommand {
  const group = parent.commands.find((candidate) => candidate.name() === name)
  return group ?? parent.command(name).usage('<command> [options]')
}

const argumentTerm = (name: string): string => (name.endsWith('?') ? `[${name.slice(0, -1)}]` : `<${name}>`)

/** The end of the usage line of a command, after its name. */
export const usageArguments = ({ args = [], options = {} }: Command): string =>
  [...args.map(argumentTerm), ...(Object.keys(options).length > 0 ? ['[options]'] : [])].join(' ')

function commanderOption(name: string, option: CommandOption, words: readonly string[]): CommanderOption {
  const { value, many, variadic, help } = option
  if (value === undefined) return new CommanderOption(`--${name}`, help)
  const description = many ? `${help}; may be repeated` : help
  return new CommanderOption(`--${name} <${value}${variadic ? '...' : ''}>`, description).argParser(
    (text: string, previous: string[] | undefined) => {
      const fault = valueFault(text, { flag: `--${name}`, option, previous, words })
      if (fault !== null) throw new InvalidArgumentError(fault)
      return [...(previous ?? []), text]
    },
  )
}

interface ValueContext {
  flag: string
  option: CommandOption
  /** The values of the same option before this one. */
  previous: string[] | undefined
  words: readonly string[]
}

/** Why an option cannot have this value, or null. */
function valueFault(text: string, { flag, option, previous, words }: ValueContext): string | null {
  const { many, variadic, choices } = option
  if (text === '') return 'It is empty.'
  // In `--name --json` the value is missing, but commander takes any next word.
  if (text.startsWith('-') && !words.includes(`${flag}=${text}`))
    return `A value that begins with a dash is joined to its option: ${flag}=${text}`
  if (previous !== undefined && !many && !variadic) return 'Give the option once.'
  if (choices && !choices.includes(text)) return `Allowed choices are ${choices.join(', ')}.`
  return null
}

function notEmpty(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is empty.')
  return text
}

function inputOf(leaf: CommanderCommand): CommandInput {
  const list = (name: string): readonly string[] => leaf.getOptionValue(attributeOf(name)) ?? []
  return {
    args: leaf.args,
    list,
    text: (name) => list(name).at(-1),
    flag: (name) => leaf.getOptionValueSource(attributeOf(name)) === 'cli',
  }
}

const attributeOf = (name: string): string => new CommanderOption(`--${name}`).attributeName()

/** The help of the program and of a group lists every command below it, by its full name. */
function formatHelp(command: CommanderCommand, help: Help): string {
  help.visibleCommands = leavesOf
  help.subcommandTerm = fullName
  return Help.prototype.formatHelp.call(help, command, help)
}

const leavesOf = ({ commands }: CommanderCommand): CommanderCommand[] =>
  commands.flatMap((member) => (member.commands.length > 0 ? leavesOf(member) : [member]))

const fullName = (member: CommanderCommand): string =>
  member.parent?.parent ? `${fullName(member.parent)} ${member.name()}` : member.name()

/** Before commander parses the words, because its message would repeat the secret. */
function refuseSecrets(argv: readonly string[]): void {
  const option = argv.map((word) => word.split('=')[0] ?? '').find(isSecretOption)
  if (option !== undefined)
    throw usageError(
      `there is no option ${option}: the list of processes shows every argument, so no password and no secret is one. See --help`,
    )
}

/** `--no-password` is an option of `user create`. */
const isSecretOption = (name: string): boolean =>
  /^--(?:.*-)?(?:password|secret)$/.test(name) && name !== '--no-password'

function faultText({ code, message }: CommanderError, words: readonly string[]): string {
  // Commander prints only the help, without a message.
  if (code === 'commander.help') return 'name a command'
  const text = message.replace(/^error: /, '')
  const dashed = words.find((word) => /^-[^-]/.test(word))
  if (code !== 'commander.unknownOption' || dashed === undefined) return text
  return `${text}\n(A value that begins with a dash is joined to its option, as in --name=${dashed}; write -- before an argument that begins with one)`
}
