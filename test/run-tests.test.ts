/** `pnpm test` runs the tests of all packages, also after one has failed, without the settings of a server in the environment. */

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ROOT } from './_sources.ts'

type Scripts = Record<string, string>

/** Runs the script `test` of these packages, one at a time. */
function run(packages: Record<string, Scripts>, env: Record<string, string> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'ostiary-run-tests-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const write = (path: string, content: object) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), JSON.stringify(content))
  }
  for (const name of ['run-tests.mjs', 'steps.mjs'])
    cpSync(join(ROOT, 'scripts', name), join(root, 'scripts', name))
  for (const group of ['packages', 'apps', 'examples', 'test']) mkdirSync(join(root, group))
  write('turbo.json', { tasks: { test: { passThroughEnv: ['REDIS_URL'] }, '//#test:repository': {} } })
  write('package.json', { name: 'root', scripts: { test: 'exit 1', 'test:repository': 'echo of the root' } })
  for (const [name, scripts] of Object.entries(packages))
    write(`packages/${name}/package.json`, { name: `@ostiary/${name}`, scripts })
  const args = [join(root, 'scripts/run-tests.mjs'), '1', 'test', 'test:repository']
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  })
  return { status, said: stdout.split('\n').filter((line) => line !== '' && !line.includes(': $ ')) }
}

it('runs each script in its package, the longest package first, and says which one a line is of', () => {
  const { status, said } = run({
    messages: { test: 'basename $(pwd)', build: 'echo no test' },
    'server-tests': { test: 'echo first; echo a fault 1>&2' },
    docs: {},
  })
  expect(status).toBe(0)
  expect(said[0]).toBe('@ostiary/server-tests:test: first')
  expect(said.toSorted()).toEqual([
    '//:test:repository: of the root',
    '@ostiary/messages:test: messages',
    '@ostiary/server-tests:test: a fault',
    '@ostiary/server-tests:test: first',
  ])
})

it('fails when a script fails, names it, and runs the others', () => {
  const { status, said } = run({ core: { test: 'exit 3' }, messages: { test: 'echo passed' } })
  expect(status).toBe(1)
  expect(said).toContain('@ostiary/messages:test: passed')
  expect(said.at(-1)).toBe('Failed: @ostiary/core:test')
})

it('a script gets the variables that turbo.json names for it, and no other setting', () => {
  const env = { REDIS_URL: 'redis://a.example', DATABASE_URL: 'postgres://a.example', OIDC_SECRET: 'secret' }
  const { said } = run({ core: { test: 'echo "$REDIS_URL|$DATABASE_URL|$OIDC_SECRET|$OSTIARY_BUILT"' } }, env)
  expect(said).toContain('@ostiary/core:test: redis://a.example|||1')
})
