/** The commands about users, with few of them. */

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const printed = async (command: string, ...args: string[]): Promise<string> => {
  const program = fileURLToPath(new URL(`../dist/commands/${command}.js`, import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { timeout: 240_000 })
  return stdout
}

it('bench:users signs users in beside many others, and explains each statement', async () => {
  const output = await printed('users', '--users', '20000', '--times', '5')
  expect(output).toContain('| Sign-in with a passkey | update oidc_factors | 1 |')
  expect(output).toContain('20,005 users')
  expect(output).not.toContain('the whole table')
}, 300_000)

it('bench:names asks for names of each kind of account, and for others', async () => {
  const rows = (await printed('names', '--requests', '10')).split('\n').filter((line) => line.includes('±'))
  expect(rows.map((row) => row.split('|')[1]?.trim())).toEqual([
    'with a password',
    'with two factors',
    'without a password',
    'disabled',
  ])
}, 300_000)
