/** Sections of docs/embed-it.md, copied into an empty folder, with packages and frameworks from a registry. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET } from '@ostiary/test-kit/server'
import { expect, it } from 'vitest'
import { section } from '../../docs-tests/test/embed-page.ts'
import { application, newUser, openBrowser, signedIn, type User } from './walk.ts'

const SHARED = section('Your accounts and pages')
/** Of the client and the user of the page. */
const CLIENT = { client_id: 'notes', client_secret: 'for-trying-out-only-not-for-anything-else' }
const PASSWORD = 'correct horse battery staple'

const words = (line: string): string[] => line.replaceAll(/['"]/g, '').split(' ')

async function type(user: User, block: string): Promise<void> {
  for (const line of block.split('\n')) await user.run(...words(line))
}

/** A folder with the shared files and those of the section, for free ports, and what the browser asks for there. */
async function copied(heading: string) {
  const [user, app, port] = [await newUser(), await application(), await freePort()]
  const issuer = `http://localhost:${port}`
  Object.assign(user.place.env, { OIDC_SECRET: SECRET, PORT: `${port}`, ISSUER: issuer })
  const write = (files: Record<string, string>) => {
    for (const [name, code] of Object.entries(files)) {
      mkdirSync(dirname(join(user.place.cwd, name)), { recursive: true })
      writeFileSync(join(user.place.cwd, name), code.replaceAll('http://localhost:8080', app))
    }
  }
  const { files, commands } = section(heading)
  write({ ...SHARED.files, ...files })
  const request = { ...CLIENT, issuer, redirect_uri: `${app}/callback` }
  const signIn = async () => signedIn((await openBrowser()).page, request, PASSWORD)
  const discovery = `${issuer}/.well-known/openid-configuration`
  return { user, port, write, commands, signIn, discovery }
}

it.each(['Hono', 'Express'])('%s: installed and started as the page says; ann signs in', async (heading) => {
  const { user, commands, signIn, discovery } = await copied(heading)
  await type(user, SHARED.commands[0] ?? '')
  await type(user, commands[0] ?? '')
  await user.start(words(commands[1] ?? ''), discovery)
  expect(await signIn()).toMatchObject({ claims: { aud: 'notes', name: 'Ann Example' } })
})

it('Next.js: the files beside those of an application that exists; it is built, and ann signs in', async () => {
  const { user, port, write, commands, signIn, discovery } = await copied('Next.js')
  write(APPLICATION)
  await user.run('npm', 'install', '@ostiary/core', 'next@16', 'react@19', 'react-dom@19')
  await user.run('npm', 'install', '--save-dev', 'typescript@5', '@types/node@22', '@types/react@19')
  await user.run('npx', 'next', 'build')
  const [command = ''] = commands
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

/**
 * It has a page at `/`, and a package without a type, as create-next-app makes it. The compiler option is that of the page; Next.js
 * adds the others.
 */
const APPLICATION = {
  'package.json': '{ "name": "application", "private": true }\n',
  'app/layout.tsx': `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>
}
`,
  'app/page.tsx': 'export default function Page() {\n  return <p>Home</p>\n}\n',
  'tsconfig.json':
    '{ "compilerOptions": { "allowImportingTsExtensions": true, "noEmit": true, "strict": true } }\n',
}
