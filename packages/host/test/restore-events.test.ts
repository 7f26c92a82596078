/** What the logs since a backup say is lost. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { expect, it } from 'vitest'
import { readChanges } from '../src/management/restore-events.ts'

it('a user is named with the sub, by username where the line has it', async ({ onTestFinished }) => {
  const file = join(await temporaryFolder(onTestFinished), 'commands.jsonl')
  const line = (command: string, subject: object) =>
    JSON.stringify({
      time: '2026-01-02T00:00:00Z',
      event: 'command.done',
      realm: 'default',
      command,
      subject,
    })
  const lines = [
    line('user create', { sub: 'ann-1', username: 'ann' }),
    line('user update', { sub: 'bob-1' }),
    line('client create', { client_id: 'notes' }),
  ]
  await writeFile(file, lines.join('\n'))
  const { left } = await readChanges([file], Date.parse('2026-01-02T00:00:00Z') / 1000)
  expect(left).toEqual([
    'default ann (ann-1): a user was created: ostiary user create',
    'default bob-1: a user was changed: ostiary user update',
    'default notes: a client was created: ostiary client create',
  ])
})
