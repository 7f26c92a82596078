/** deploy/ostiary.service and the `systemd-run` line of docs/run-it.md, as systemd itself reads them. No systemd runs here. */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installDebian } from '@ostiary/test-kit/debian'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { beforeAll, expect, it } from 'vitest'
import { fence, ROOT } from './fences.ts'
import { run } from './shell.ts'

const ANALYZE = '/usr/bin/systemd-analyze'

beforeAll(() => {
  if (!existsSync(ANALYZE) && !installDebian(['systemd'], 'deploy/ostiary.service'))
    throw new Error('apt-get install systemd. As root on Debian the test does it.')
})

/** What systemd says of a unit: a key that it does not know is a warning, not a fault. Node is where it is here. */
async function saidOf(unit: string, name = 'ostiary'): Promise<string> {
  const path = join(await temporaryFolder(), `${name}.service`)
  await writeFile(path, unit.replaceAll('/usr/bin/node', process.execPath))
  const { stdout, stderr } = await promisify(execFile)(ANALYZE, ['verify', path])
  return stdout + stderr
}

it('the unit has no fault', async () => {
  const unit = await readFile(join(ROOT, 'deploy/ostiary.service'), 'utf8')
  expect(await saidOf(unit)).toBe('')
  expect(await saidOf(unit.replace('ProtectHome=', 'ProtectHomes='))).toContain('ProtectHomes')
})

it('the template of the page runs a server on the port that its name has', async () => {
  const [line = ''] = fence('docs/run-it.md', "sed 's/^Environment=").split(' > ', 1)
  const unit = await run(line.replace('/etc/systemd/system/', 'deploy/'), { cwd: ROOT })
  expect(unit).toContain('\nEnvironment=PORT=%i NODE_ENV=production ')
  expect(await saidOf(unit, 'ostiary@3001')).toBe('')
})

it('systemd-run of the page gives a command the folder and the variables of the unit', async () => {
  const unit = await readFile(join(ROOT, 'deploy/ostiary.service'), 'utf8')
  const line = fence('docs/run-it.md', 'systemd-run').replaceAll('\\\n', ' ')
  const [, folder] = /--working-directory=(\S+)/.exec(line) ?? []
  const [, variable] = /--setenv=(\S+)/.exec(line) ?? []
  const properties = [...line.matchAll(/--property=(\S+)/g)].map(([, property = '']) => property)
  const [, command = ''] = /(\/usr\/bin\/node .*)/.exec(line) ?? []
  for (const property of [...properties, `WorkingDirectory=${folder}`])
    expect(unit).toContain(`${property}\n`)
  expect(unit).toContain(`Environment=${variable} `)
  const service = [...properties, `WorkingDirectory=${folder}`, `Environment=${variable}`]
  expect(await saidOf(['[Service]', ...service, `ExecStart=${command}`, ''].join('\n'))).toBe('')
})
