/** docs/messages.md lists the messages; `npx vitest run test/message-list.test.ts -u` writes it. */

import type { Message } from '@ostiary/messages'
import { en } from '@ostiary/messages'
import { expect, it } from 'vitest'

const textOf = (message: Message): string =>
  typeof message === 'string'
    ? message
    : Object.entries(message)
        .map(([category, text]) => `${category}: ${text}`)
        .join('<br>')

it('docs/messages.md is up to date', async () => {
  const rows = Object.entries(en).map(([name, message]) => `| \`${name}\` | ${textOf(message)} |`)
  const page = `# Messages of the pages

The names and the English texts, for the files of [other languages](pages-and-languages.md). This page is generated.

| name | English text |
| --- | --- |
${rows.join('\n')}
`
  await expect(page).toMatchFileSnapshot('../../../docs/messages.md')
})
