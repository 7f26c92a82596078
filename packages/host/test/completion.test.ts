/** The completion scripts. The one for bash runs in a real bash; those for zsh and fish are checked as texts. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../src/cli/commands/index.ts'
import { completionScript, SHELLS } from '../src/cli/completion.ts'

/** The words that bash offers for the last word of a line. */
async function completed(...words: string[]): Promise<string[]> {
  const script = `${completionScript('bash', COMMANDS)}
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
"$(complete -p ostiary | sed 's/.*-F \\([^ ]*\\) .*/\\1/')"
printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', 'ostiary', ...words])
  return stdout.split('\n').filter((word) => word !== '')
}

describe('in bash', () => {
  it.each<[string[], string[]]>([
    [['ser'], ['serve']],
    [['c'], ['completion', 'config', 'client', 'consent']],
    [
      ['keys', ''],
      ['list', 'rotate', 'revoke'],
    ],
    [['client', 'rot'], ['rotate-secret']],
    [
      ['user', ''],
      [
        'create',
        'invite',
        'invitations',
        'import',
        'list',
        'show',
        'update',
        'disable',
        'enable',
        'set-password',
        'factors',
        'links',
        'recovery-link',
        'delete',
        'export',
      ],
    ],
    [['mail', ''], ['test']],
    [
      ['admin', ''],
      ['bootstrap', 'roles'],
    ],
    [
      ['admin', 'roles', ''],
      ['list', 'grant', 'revoke'],
    ],
    [
      ['client', 'd'],
      ['delete', 'documents'],
    ],
    [
      ['client', 'documents', ''],
      ['list', 'forget'],
    ],
    [['client', 'documents', 'forget', '--y'], ['--yes']],
    [['client', 'list', '--sea'], ['--search']],
    [['client', 'delete', 'notes', '--y'], ['--yes']],
    [
      ['client', 'update', 'notes', '--require-pkce', ''],
      ['true', 'false'],
    ],
    [['serve', '--t'], ['--try-out']],
    [
      ['keys', 'rotate', '-'],
      ['--alg', '--publish-before', '--realm', '--server', '--plan', '--json', '--help'],
    ],
    [['user', 'enable', 'ann', '--su'], ['--sub']],
    [['user', 'enable', '--sub', '--r'], ['--realm']],
    [
      ['client', 'create', '--auth-method', 'client'],
      ['client_secret_basic', 'client_secret_post', 'client_secret'],
    ],
    [['client', 'create', '--name', ''], []],
    [['nothing', ''], []],
  ])('%j', async (words, expected) => expect(await completed(...words)).toEqual(expected))
})

it.each(SHELLS)('the script for %s has every command and every option', (shell) => {
  const script = completionScript(shell, COMMANDS)
  for (const { name, options = {} } of COMMANDS)
    for (const word of [...name.split(' '), ...Object.keys(options)]) expect(script).toContain(word)
})
