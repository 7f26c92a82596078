/** docs/commands.md, from the commands. */

import type { Command, CommandOption } from '../src/cli/command.ts'
import { EXIT_CODES, SETTINGS } from '../src/cli/help.ts'
import { usageArguments } from '../src/cli/parse.ts'

export function commandsPage(commands: readonly Command[]): string {
  return `# Commands

<!-- Generated from packages/host/src/cli by \`npx -y pnpm@12.21.0 --filter @ostiary/host run docs\`. -->

The program is \`node apps/node-server/dist/main.js\`; \`alias ostiary='node apps/node-server/dist/main.js'\` makes the lines below
work as they are. It is the same on every runtime. \`ostiary completion bash\` prints a script that completes commands and options;
there are scripts for zsh and fish too.

${SETTINGS}

- \`--json\` prints one JSON document on standard output. When a command fails, standard error has
  \`{"error":{"message":"…"}}\` instead of a sentence.
- \`--realm <id>\` names the realm if the server has several (\`oidc.routes.realms\` is \`path\`); the default is \`default\`. The
  commands of \`keys\`, \`client\`, \`user\`, \`consent\`, \`grant\`, \`session\`, \`throttle\`, \`audit\` and \`mail\`, and \`explain\` and
  \`purge\`, have this option. Those of \`audit\` read the rows of this realm alone.
- \`--server <url>\` runs a command on a server, over its admin API, and \`--plan\` beside it shows the change without making it
  ([the command line on another computer](remote-commands.md)).
- \`--help\` shows the options of a command, with examples. \`ostiary --version\` shows the version; a clone is \`0.0.0 (not released)\`.
${asking(commands)}
- No password and no secret is ever an argument, because the list of processes shows every argument. A password is read from
  standard input or from a variable that you name, or it is generated and printed once. A client secret is always generated.
- Lists come in pages: \`--limit\` is the number of entries (at most 1000), \`--after\` the last entry of the page before. With
  \`--json\`, \`next\` is the value for \`--after\`, and null on the last page.
- A value that begins with a dash is joined to its option (\`--sid=-Ab1\`). Write \`--\` before an argument that begins with one.
- Standard output has the result alone. Notes and the log go to standard error: each run that changes or exports something writes
  the event [\`command.done\`](events.md#commands), which names who ran it; \`LOG_FORMAT\` chooses its form, as for the server.
- A change is in the database at once; running servers apply it within seconds.

| exit code | meaning |
| --- | --- |
${EXIT_CODES.map(([code, meaning]) => `| ${code} | ${meaning} |`).join('\n')}

${commands.map(section).join('\n\n')}
`
}

const UNDO = 'audit undo'

/** The commands that ask: those with the option `--yes`. */
function asking(commands: readonly Command[]): string {
  const names = commands
    .filter(({ name, options }) => options?.yes !== undefined && name !== UNDO)
    .map(({ name }) => `\`${name}\``)
  const text = `${names.slice(0, -1).join(', ')} and ${names.at(-1)} cannot be undone. On a terminal they say what will end and ask: \`client delete\` and \`user delete\` for the name, the others for \`y\`. Where there is no terminal they do nothing and fail with exit code 2, unless \`--yes\` is given. \`${UNDO}\` asks in the same way, and can be undone.`
  return `- ${wrapped(text, 127).replaceAll('\n', '\n  ')}`
}

function section(command: Command): string {
  const { name, summary, about = [], options = {}, examples } = command
  const rows = Object.entries(options).map(optionRow)
  return [
    `## ${name}`,
    `\`${['ostiary', name, usageArguments(command)].filter(Boolean).join(' ')}\``,
    `${summary}.`,
    ...about.map((text) => wrapped(text, 129)),
    ...(rows.length > 0 ? [`| option | |\n| --- | --- |\n${rows.join('\n')}`] : []),
    `\`\`\`sh\n${examples.map(([line, meaning]) => `# ${meaning}\n${line}`).join('\n')}\n\`\`\``,
  ].join('\n\n')
}

function optionRow([name, { value, many, variadic, help }]: [string, CommandOption]): string {
  const option = value === undefined ? `--${name}` : `--${name} <${value}${variadic ? '...' : ''}>`
  const description = many ? `${help}; may be repeated` : help
  return `| \`${option}\` | ${description.replaceAll('<', '\\<')} |`
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
