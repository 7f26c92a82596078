/** The help texts, for a terminal and as a page. */

import { type Command, EXIT, type Option } from './command.js'
import { optionsOf } from './parse.js'

const CODES: readonly (readonly [number, string])[] = [
  [EXIT.done, 'done'],
  [EXIT.failed, 'it could not be done: the configuration, the database, what doctor found, …'],
  [EXIT.usage, 'the command line is wrong; nothing was done'],
  [EXIT.not_found, 'what it names (a client, a user, a session, a realm) is not there'],
]

const SETTINGS = `Settings come from ./ostiary.config.json (or the file that OSTIARY_CONFIG names) and from variables such as
OIDC_SECRET and DATABASE_URL; docs/configuration.md lists all. Without a file it is try-out mode, unless that looks
like a deployment (see serve); without DATABASE_URL the records are in an embedded database in DATA_DIR, which one
process can use at a time.`

const EXIT_CODES = `Exit codes:\n${columns(CODES.map(([code, meaning]) => [String(code), meaning]))}`

/** Of all commands, or of those that begin with a word. */
export function overview(commands: readonly Command[], group = ''): string {
  const shown = commands.filter(({ name }) => group === '' || name.startsWith(`${group} `))
  return [
    `Usage: ostiary ${group === '' ? '<command>' : `${group} <command>`} [options]`,
    `Commands:\n${columns(shown.map(({ name, summary }) => [name, summary]))}`,
    'ostiary <command> --help shows what one takes, with examples.',
    ...(group === '' ? [EXIT_CODES, SETTINGS] : []),
  ]
    .map((part) => `${part}\n`)
    .join('\n')
}

export const usageLine = ({ name, args = [], options = {} }: Command): string =>
  [
    `ostiary ${name}`,
    ...args.map((arg) => `<${arg}>`),
    ...(Object.keys(options).length > 0 ? ['[options]'] : []),
  ].join(' ')

export function helpOf(command: Command): string {
  const { summary, about = [], examples } = command
  return [
    `Usage: ${usageLine(command)}`,
    `${summary}.`,
    ...about.map((text) => wrapped(text, 99)),
    `Options:\n${columns(optionRows(optionsOf(command)))}`,
    `Examples:\n${examples.map(([line, meaning]) => `  # ${meaning}\n  ${line}`).join('\n')}`,
  ]
    .map((part) => `${part}\n`)
    .join('\n')
}

const optionRows = (options: Readonly<Record<string, Option>>): [string, string][] =>
  Object.entries(options).map(([name, { value, many, help }]) => [
    `--${name}${value === undefined ? '' : ` <${value}>`}`,
    `${help}${many ? '; may be repeated' : ''}`,
  ])

/** docs/commands.md. */
export function commandsPage(commands: readonly Command[]): string {
  return `# Commands

<!-- Generated from packages/host/src/cli by \`npx -y pnpm@12.21.0 --filter @ostiary/host run docs\`. -->

The program is \`node apps/node-server/dist/main.js\`; \`alias ostiary='node apps/node-server/dist/main.js'\` makes the lines below
work as they are. It is the same on every runtime.

${SETTINGS}

- \`--json\` prints one JSON document on standard output. When a command fails, standard error has
  \`{"error":{"message":"…"}}\` instead of a sentence.
- \`--realm <id>\` names the realm where realms are told apart by path (\`oidc.routes.realms\`); without it, it is \`default\`. Everything
  below \`keys\`, \`client\`, \`user\`, \`consent\`, \`grant\`, \`session\` and \`throttle\`, and \`purge\`, takes it.
- \`--help\` shows what a command takes, with examples.
- No password and no secret is ever an argument, where the list of processes would show it. A password is read from standard
  input or from a variable that you name, or it is generated and printed once. A client secret is always generated.
- Lists come in pages: \`--limit\` says how many (at most 1000), \`--after\` where to go on; with \`--json\`, \`next\` is what to give there,
  and null on the last page.
- Changes are in the database at once, and a running server heeds them within seconds.

| exit code | meaning |
| --- | --- |
${CODES.map(([code, meaning]) => `| ${code} | ${meaning} |`).join('\n')}

${commands.map(section).join('\n\n')}
`
}

function section(command: Command): string {
  const { name, summary, about = [], options = {}, examples } = command
  const rows = optionRows(options).map(
    ([option, help]) => `| \`${option}\` | ${help.replaceAll('<', '\\<')} |`,
  )
  return [
    `## ${name}`,
    `\`${usageLine(command)}\``,
    `${summary}.`,
    ...about.map((text) => wrapped(text, 129)),
    ...(rows.length > 0 ? [`| option | |\n| --- | --- |\n${rows.join('\n')}`] : []),
    `\`\`\`sh\n${examples.map(([line, meaning]) => `# ${meaning}\n${line}`).join('\n')}\n\`\`\``,
  ].join('\n\n')
}

/** Two columns, indented. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

function wrapped(text: string, width: number): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join('\n')
}
