/** A project that `npm create ostiary@latest` has made. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Started } from '@ostiary/test-kit/commands'
import { freePort } from '@ostiary/test-kit/ports'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { application, newUser, openBrowser, type Request, signedIn, type User } from './walk.ts'

/** The claims of the user of each template. */
export const ANN = { aud: 'app', name: 'Ann Example' }

export interface Project {
  user: User
  page: Page
  request: Request
  /** Of the user ann. */
  password: string
  file(name: string): string
  /** The command that has started the project the first time. */
  command: string
  first: Started
  /** Starts the project with this command. */
  start(command: string): Promise<Started>
}

/** Runs the lines that `npm create` prints, and signs ann in. The last line starts the project. */
export async function created(template: string): Promise<Project> {
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
  expect(await signedIn(page, request, password)).toMatchObject({ claims: ANN })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(
    `${template}, Node ${process.versions.node}: ${user.steps.length} steps, ${seconds} s\n  ${user.steps.join('\n  ')}`,
  )
  return { user, page, request, password, file, start, first, command }
}
