/**
 * `npm create ostiary@latest` from a registry, on a machine without anything, up to a signed-in browser; and what the README of the
 * project advises then.
 */

import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownDatabase } from '@ostiary/test-kit/database'
import { freePort } from '@ostiary/test-kit/ports'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Started } from './commands.ts'
import {
  application,
  authorize,
  newUser,
  openBrowser,
  type Request,
  redeemed,
  signedIn,
  type User,
} from './walk.ts'

interface Project {
  user: User
  page: Page
  request: Request
  /** Of the user ann. */
  password: string
  file(name: string): string
  /** Starts the project with this command. */
  start(command: string): Promise<Started>
}

/** Runs the lines that `npm create` prints, and signs ann in. The last line starts the project. */
async function created(template: string): Promise<Project & { first: Started; command: string }> {
  const [user, { page }] = [await newUser(), await openBrowser()]
  const [app, port] = [await application(), await freePort()]
  const issuer = `http://localhost:${port}`
  const request = { issuer, client_id: 'app', redirect_uri: `${app}/callback` }
  const file = (name: string) => join(user.place.cwd, name)
  const start = (command: string) =>
    user.start(command.split(' '), `${issuer}/.well-known/openid-configuration`)
  const begun = performance.now()

  const options = ['--template', template, '--client-url', app, '--port', `${port}`]
  const said = await user.run('npm', 'create', 'ostiary@latest', 'my-id', '--', ...options)
  const [, lines = ''] = /Next:\n\n((?: {2}.+\n)+)/.exec(said) ?? []
  const next = lines.trim().split(/\n */)
  const command = next.pop() ?? ''
  for (const line of next) {
    const [program = '', ...args] = line.split(' ')
    if (program === 'cd') user.enter(args.join(' '))
    else expect(await user.run(program, ...args), line).not.toMatch(/npm warn/i)
  }
  const first = await start(command)
  user.steps.push('open the application, sign in as ann, allow')
  const [, password = ''] = /^ANN_PASSWORD=(.*)$/m.exec(readFileSync(file('.env'), 'utf8')) ?? []
  expect(await signedIn(page, request, password)).toMatchObject(ANN)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(
    `${template}, Node ${process.versions.node}: ${user.steps.length} steps, ${seconds} s\n  ${user.steps.join('\n  ')}`,
  )
  return { user, page, request, password, file, start, first, command }
}

const ANN = { aud: 'app', name: 'Ann Example' }

it('server: created, installed, started, signed in to; started again, the browser is still signed in', async () => {
  const { page, request, start, first, command } = await created('server')
  await first.stop()
  expect(first.output()).not.toMatch(/warn/i)
  await start(command)
  await authorize(page, request)
  expect(await redeemed(page, request)).toMatchObject(ANN)
})

describe.each(['hono', 'express', 'next'])('%s', (template) => {
  it('created, installed, started, signed in to; moved to PostgreSQL as its README says, and started twice', async () => {
    const { user, page, request, password, file, start, first, command } = await created(template)
    await expect(user.run(...command.split(' '))).rejects.toThrow(/in use|already running/)
    await first.stop()

    const readme = readFileSync(file('README.md'), 'utf8')
    const [, install = ''] = /`(npm install @ostiary\/storage-postgres)`/.exec(readme) ?? []
    const [, storage = ''] = /^```ts\n([\s\S]+?)^```/m.exec(readme) ?? []
    await user.run(...install.split(' '))
    appendFileSync(file('.env'), `DATABASE_URL=${await ownDatabase()}\n`)
    writeFileSync(file('storage.ts'), storage)
    const { scripts } = JSON.parse(readFileSync(file('package.json'), 'utf8'))
    for (const script of ['typecheck', 'build'].filter((name) => name in scripts))
      await user.run('npm', 'run', script)

    const moved = await start('npm start')
    expect(await signedIn(page, request, password)).toMatchObject(ANN)
    await moved.stop()
    await start('npm start')
    await authorize(page, request)
    expect(await redeemed(page, request)).toMatchObject(ANN)
  })
})
