/** Sections of docs/embed-it.md, copied into a folder, with packages and frameworks from a registry. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET } from '@ostiary/test-kit/server'
import { expect, it } from 'vitest'
import { PAGE, section } from '../../docs-tests/test/embed-page.ts'
import { ROOT } from '../../docs-tests/test/fences.ts'
import { application, newUser, openBrowser, signedIn, type User } from './walk.ts'

const SHARED = section('Your accounts and pages')
/** Of the client and the user of the page. */
const CLIENT = { client_id: 'notes', client_secret: 'for-trying-out-only-not-for-anything-else' }
const PASSWORD = 'correct horse battery staple'

const words = (line: string): string[] => line.replaceAll(/['"]/g, '').split(' ')

async function type(user: User, block: string): Promise<void> {
  for (const line of block.split('\n')) await user.run(...words(line))
}

/**
 * A folder with the shared files and those of the section, for free ports, and what the browser asks for there.
 * @param create The command that makes the folder, whose name is its last word that is no option. Without it the folder is empty.
 */
async function copied(heading: string, create?: string) {
  const [user, app, port] = [await newUser(), await application(), await freePort()]
  const issuer = `http://localhost:${port}`
  Object.assign(user.place.env, { OIDC_SECRET: SECRET, PORT: `${port}`, ISSUER: issuer })
  if (create !== undefined) {
    await type(user, create)
    user.enter(words(create).findLast((word) => !word.startsWith('-')) ?? '')
  }
  const { files, commands } = section(heading)
  for (const [name, code] of Object.entries({ ...SHARED.files, ...files })) {
    mkdirSync(dirname(join(user.place.cwd, name)), { recursive: true })
    writeFileSync(join(user.place.cwd, name), code.replaceAll('http://localhost:8080', app))
  }
  const request = { ...CLIENT, issuer, redirect_uri: `${app}/callback` }
  const signIn = async () => signedIn((await openBrowser()).page, request, PASSWORD)
  const discovery = `${issuer}/.well-known/openid-configuration`
  return { user, port, commands, signIn, discovery }
}

it.each(['Hono', 'Express'])('%s: installed and started as the page says; ann signs in', async (heading) => {
  const { user, commands, signIn, discovery } = await copied(heading)
  await type(user, SHARED.commands[0] ?? '')
  await type(user, commands[0] ?? '')
  await user.start(words(commands[1] ?? ''), discovery)
  expect(await signIn()).toMatchObject({ claims: { aud: 'notes', name: 'Ann Example' } })
})

it('Next.js: the files beside those of a new application; it is built, and ann signs in', async () => {
  const [, create = ''] = /`(npx create-next-app[^`]+)`/.exec(readFileSync(join(ROOT, PAGE), 'utf8')) ?? []
  const { user, port, commands, signIn, discovery } = await copied('Next.js', create)
  const tsconfig = join(user.place.cwd, 'tsconfig.json')
  const { compilerOptions, ...more } = JSON.parse(readFileSync(tsconfig, 'utf8'))
  const options = { ...compilerOptions, allowImportingTsExtensions: true }
  writeFileSync(tsconfig, JSON.stringify({ ...more, compilerOptions: options }))
  const [install = '', command = ''] = commands
  await type(user, install)
  await user.run('npx', 'next', 'build')
  const start = [...words(command), '--port', `${port}`]
  const development = await user.start(start, discovery)
  expect(await signIn()).toMatchObject({ claims: { aud: 'notes', name: 'Ann Example' } })
  await development.stop()
  await user.start(
    start.map((word) => (word === 'dev' ? 'start' : word)),
    discovery,
  )
  expect(await signIn()).toMatchObject({ claims: { aud: 'notes', name: 'Ann Example' } })
})
