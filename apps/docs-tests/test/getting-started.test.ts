/** docs/getting-started.md, step by step, until a user is signed in. */

import { symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { person } from '@ostiary/test-kit/person'
import { freePort } from '@ostiary/test-kit/ports'
import { expect, it } from 'vitest'
import { fence } from './fences.ts'
import { emptyFolder, run, served, start, withPorts } from './shell.ts'

const PAGE = 'docs/getting-started.md'

it('leads to a signed-in user, and signs out again', async () => {
  const ports = { 3000: await freePort(), 8080: await freePort() }
  const issuer = `http://localhost:${ports[3000]}`
  const app = `http://localhost:${ports[8080]}`
  const block = (begins: string) => withPorts(fence(PAGE, begins), ports)

  // 2. The configuration is in the folder where the server is started.
  const clone = await emptyFolder()
  await writeFile(join(clone, 'ostiary.config.json'), block('{'))
  const server = start(served(block('export OIDC_SECRET=')), { cwd: clone, env: { PORT: `${ports[3000]}` } })
  await server.says('"msg":"listening"')

  // 3.
  expect(JSON.parse(await run(block('curl -s '), { cwd: clone }))).toMatchObject({ issuer })

  // 4. The library of the tests stands in for the same version from the registry.
  const folder = await temporaryFolder()
  const [init = '', install = ''] = block('npm init -y').split('\n')
  await run(init, { cwd: folder })
  const library = createRequire(import.meta.url).resolve('openid-client/package.json')
  expect(install).toBe(`npm install openid-client@${createRequire(import.meta.url)(library).version}`)
  await symlink(join(dirname(library), '..'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'app.mjs'), block('// app.mjs'))

  // 5.
  const client = start(block('node app.mjs'), { cwd: folder })
  await client.says(`Open ${app}`)
  const ann = person(issuer)
  const open = async (path: string) => (await ann.open(`${app}${path}`)).html
  expect(await open('/')).toBe(`Sign in: ${app}/login`)
  const signIn = await ann.open(`${app}/login`)
  expect(signIn.html).toContain('My application')
  // A second tab does not end the sign-in of the first.
  expect((await ann.open(`${app}/login`)).html).toContain('My application')
  const consent = await ann.submit(signIn, { username: 'ann', password: 'a long passphrase' })
  const callback = await ann.submit(consent)
  expect((await ann.open(callback.url)).url.href).toBe(`${app}/`)
  expect(await open('/')).toContain('Hello Ann Example!')

  // A response that this browser did not request is refused.
  expect(await open('/callback?code=made-up&state=made-up')).toContain('That did not work')
  expect(await open('/logout')).toBe('')
  expect(await open('/')).toContain('Sign in')
  expect((await ann.open(`${app}/login`)).html).toContain('Password')
}, 480_000)
