/** The form as a command, and as a request of the admin API. */

import type { Html } from '@ostiary/identity'
import type { ApiCall } from '../session/api.js'
import { textOf } from '../texts/texts.js'
import type { Visit } from '../visit.js'
import { type CommandLine, writtenLine } from './line.js'

/** What a form does. */
export interface Deed {
  call: ApiCall
  /** The same by commands, one after the other; empty for what no command does. */
  commands: readonly CommandLine[]
  /** A secret member of the body, which is not shown: the command reads it from standard input. */
  secret?: string
}

/** Options of every command: where it works. */
function placed(c: Visit, line: CommandLine): CommandLine {
  const realm = line.of_server || c.realm === 'default' ? [] : [['realm', c.realm] as const]
  return { ...line, options: [...(line.options ?? []), ...realm, ['server', c.origin]] }
}

/** The lines; null for one that cannot be written. */
const linesOf = (c: Visit, { commands }: Deed): (string | null)[] =>
  commands.map((line) => writtenLine(placed(c, line)))

function requestText(c: Visit, { call, secret }: Deed): string {
  const { method, path, query = {}, body, if_match, is_new } = call
  const search = new URLSearchParams(query).toString()
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const shown = secret === undefined ? body : { ...body, [secret]: '…' }
  return [
    `${method} ${new URL(c.resource).pathname}${path}${search === '' ? '' : `?${search}`} HTTP/1.1`,
    `Host: ${new URL(c.origin).host}`,
    'Authorization: Bearer …',
    ...(if_match === undefined ? [] : [`If-Match: ${if_match}`]),
    ...(is_new ? ['If-None-Match: *'] : []),
    ...(body === undefined ? [] : [`Content-Type: ${type}`, '', JSON.stringify(shown, null, 2)]),
  ].join('\n')
}

/** @param is_open Whether it is unfolded. */
export function asCommand(c: Visit, deed: Deed, is_open = false): Html {
  const { html } = c
  const text = textOf(c)
  const lines = linesOf(c, deed)
  const written = lines.filter((line) => line !== null)
  return html`<details class="command"${is_open && html` open`}>
<summary>${text('command.title')}</summary>
<h2>${text('command.line')}</h2>
${lines.length === 0 && html`<p class="aside">${text('command.none')}</p>`}
${written.length < lines.length && html`<p class="aside">${text('command.unwritable')}</p>`}
${written.map((line) => html`<pre><code>${deed.secret === undefined ? line : `printf %s "$PASSWORD" | ${line}`}</code></pre>`)}
<h2>${text('command.request')}</h2>
<pre><code>${requestText(c, deed)}</code></pre>
</details>`
}
