/** What `pnpm registry` says before the registry runs. A program in the place of pnpm says what pnpm says. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ROOT } from './_sources.ts'

const INSTALLS = `echo 'Scope: all 42 workspace projects'
echo '[WARN] Unsupported engine for kysely@0.29.9: wanted: {"node":">=22.0.0"} (current: {"node":"20.20.2"})'
echo ' WARN  Unsupported engine for ast-kit@3.0.1: wanted: {"node":">=24"} (current: {"node":"20.20.2"})'
echo '[WARN] GET https://registry.example/x error (ECONNRESET). Will retry in 10 seconds.'
echo 'Progress: resolved 945, reused 945, downloaded 0, added 945, done'`

/** @param builds The lines of a shell that are the build. */
function registrySteps(builds: string) {
  const folder = mkdtempSync(join(tmpdir(), 'ostiary-steps-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const text = `#!/bin/sh\nif [ "$1" = install ]; then\n${INSTALLS}\nelse\n${builds}\nfi\n`
  writeFileSync(join(folder, 'pnpm'), text, { mode: 0o755 })
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` }
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/registry.mjs')], {
    env,
    encoding: 'utf8',
  })
  return { status, stderr, lines: stdout.split('\n') }
}

const SECONDS = /^ {2}done in \d+\.\d s$/

it('first what it does and how long that takes, then its steps, without the engines of tools', () => {
  const { status, stderr, lines } = registrySteps('echo "many packages in scope"')
  expect([status, stderr]).toEqual([0, ''])
  expect(lines).toEqual([
    'This builds all packages of the clone, and publishes them in a registry on this machine. It takes a minute or two.',
    '',
    'Installing all packages …',
    '  [WARN] GET https://registry.example/x error (ECONNRESET). Will retry in 10 seconds.',
    '  Progress: resolved 945, reused 945, downloaded 0, added 945, done',
    expect.stringMatching(SECONDS),
    'Building all packages …',
    expect.stringMatching(SECONDS),
    'Publishing the packages …',
    '',
  ])
})

it('a build that fails shows all that it said, and ends it', () => {
  const { status, stderr, lines } = registrySteps('echo "src/x.ts: error"; exit 2')
  expect([status, stderr]).toEqual([1, 'src/x.ts: error\n'])
  expect(lines).not.toContain('Publishing the packages …')
})
