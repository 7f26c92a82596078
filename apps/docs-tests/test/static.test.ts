/** The blocks that are not run here: the files, scripts and numbers that they name are right. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@ostiary/host'
import { expect, it } from 'vitest'
import { ACCOUNTS } from './accounts.ts'
import { fence, fencesOf, pages as markdown, ROOT } from './fences.ts'
import { SERVE } from './shell.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const { scripts, packageManager } = JSON.parse(read('package.json'))

it('`start` builds, and then runs the same program as the tests', () => {
  expect(scripts.start).toBe(`node scripts/start.mjs && ${SERVE}`)
})

it('README.md fits on a screen, with the two commands and five lines of what is not included', () => {
  const lines = read('README.md').trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(45)
  expect(fencesOf('README.md')).toHaveLength(1)
  const [, absent = ''] = read('README.md').split('**What is not included**\n\n')
  expect(absent.split('\n\n', 1)[0]?.split('\n')).toHaveLength(5)
})

it('`dev` runs the program that apps/server-tests starts', () => {
  expect(scripts.dev).toBe('pnpm install && node scripts/dev.mjs')
  expect(read('apps/server-tests/test/dev.long.test.ts')).toContain("'scripts/dev.mjs'")
})

it('every other script installs everything first: `start` may have installed the server alone', () => {
  // `registry` installs everything in its script. Turbo runs these three after `typecheck`, `test` and `test:long` have installed everything.
  const by_turbo = ['typecheck:sources', 'test:repository', 'test:mutants']
  const { start, registry, ...rest } = scripts
  const others = Object.fromEntries(Object.entries(rest).filter(([name]) => !by_turbo.includes(name)))
  expect(Object.keys(others).length).toBeGreaterThan(10)
  for (const [name, script] of Object.entries(others))
    expect(script, name).toMatch(/^pnpm (?:install|build) && /)
})

it('the runtimes that examples fetch have the versions that the tests run', () => {
  const catalog = read('pnpm-workspace.yaml').split('\ncatalog:\n')[1] ?? ''
  const [, workerd = ''] = /WORKERD = '([\d.]+)'/.exec(read('apps/interop/test/runtimes.ts')) ?? []
  const fetched = readdirSync(join(ROOT, 'examples'))
    .filter((name) => existsSync(join(ROOT, 'examples', name, 'package.json')))
    .flatMap((name) => read(`examples/${name}/package.json`).match(/(?<=npx -y )\S+/g) ?? [])
  expect(new Set(fetched.map((name) => name.split('@')[0]))).toEqual(new Set(['bun', 'deno', 'workerd']))
  for (const name of fetched) {
    const version = name.replace('@', ': ')
    expect(name === `workerd@${workerd}` || catalog.includes(`  ${version}\n`), name).toBe(true)
  }
})

it('every pnpm in the pages is the version of package.json, and every script exists', () => {
  const called = Object.keys(ACCOUNTS).flatMap((page) => [
    ...read(page).matchAll(/npx -y (pnpm@[\d.]+)(?: --filter (\S+))? (\w+[\w:]*)/g),
  ])
  expect(called.length).toBeGreaterThan(5)
  const packages = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(ROOT, parent)).map((name) => JSON.parse(read(join(parent, name, 'package.json')))),
  )
  for (const [line, pnpm, filter, script = ''] of called) {
    expect(pnpm, line).toBe(packageManager)
    // pnpm's own.
    if (['install', 'exec', 'run', 'deploy', 'pack'].includes(script)) continue
    const owner = filter ? packages.find(({ name }) => name === filter) : { scripts }
    expect(owner?.scripts, line).toHaveProperty([script])
  }
})

it('the image and the unit bound the young generation of V8 alike', () => {
  const [flag] = /--max-semi-space-size=\d+/.exec(read('Dockerfile')) ?? []
  expect(read('deploy/ostiary.service')).toContain(
    `ExecStart=/usr/bin/node ${flag} /opt/ostiary/dist/main.js serve`,
  )
})

it('run-it.md: the installed files exist, and the Dockerfile has the same build', () => {
  const install = fence('docs/run-it.md', 'npx -y pnpm@12.21.0 install')
  const dockerfile = read('Dockerfile')
  for (const line of install.split('\n').slice(0, 3))
    expect(dockerfile).toContain(line.replace(' /opt/ostiary', ' /app').split(' --output')[0])
  expect(install).toContain('deploy/ostiary.service')
  expect(read('deploy/ostiary.service')).toMatch(/\/opt\/ostiary\/dist\/main\.js/)
  expect(read('deploy/ostiary.service')).toContain('/etc/ostiary/environment')
  expect(fence('docs/run-it.md', 'docker build')).toContain(':/etc/ostiary/ostiary.config.json:ro')
  expect(dockerfile).toContain('WORKDIR /etc/ostiary')
})

it('run-it.md: the proxies have the limits and time-outs of the server', () => {
  const kilobytes = LIMITS.body_bytes / 1024
  const nginx = fence('docs/run-it.md', 'upstream ostiary')
  expect(nginx).toContain(`client_max_body_size ${kilobytes}k;`)
  const [, seconds] = /proxy_read_timeout (\d+)s/.exec(nginx) ?? []
  expect(Number(seconds) * 1000).toBeGreaterThan(LIMITS.answer_ms)
  expect(fence('docs/run-it.md', 'id.example.com {')).toContain(`max_size ${kilobytes}KB`)
})

it('every user with an address in a sample has a verified one: some applications refuse any other', () => {
  const samples = [
    ...markdown().flatMap((page) => fencesOf(page).map(({ code }) => code)),
    read('packages/create-ostiary/templates/server/ostiary.config.json'),
  ].filter((text) => /"email": "/.test(text) && /"users":/.test(text))
  expect(samples.length).toBeGreaterThan(2)
  const users = samples.flatMap((text) => JSON.parse(text).users)
  for (const { username, email, email_verified } of users)
    expect(email === undefined || email_verified, username).toBe(true)
})

it('no code of a line goes on in the next one with a placeholder: the site reads <number> there as an element', () => {
  const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
  for (const name of pages) expect(read(`docs/${name}`), name).not.toMatch(/^<[a-z_]+>`/m)
})

it('security-model.md: every test that it names exists', () => {
  const named = [...read('docs/security-model.md').matchAll(/`((?:packages|apps)\/[^`]+\.ts)`/g)].map(
    ([, path = '']) => path,
  )
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
