/** docs/embed-it.md on the other frameworks and runtimes, and with other records than in the short run. */

import { ownDatabase } from '@ostiary/test-kit/database'
import { describe } from 'vitest'
import { keepsRecords, signsIn } from './embed-program.ts'

describe.each(['Express', 'Bun', 'Deno'])('%s', (heading) => signsIn(heading))

describe('the records', () => {
  for (const heading of ['PostgreSQL', 'Your users in a table'])
    keepsRecords(heading, async () => ({ DATABASE_URL: await ownDatabase() }))
})
