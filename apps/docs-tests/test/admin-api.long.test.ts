/** docs/admin-api.md: its commands make a program that administers, and change a client. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownDatabase } from '@ostiary/test-kit/database'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET } from '@ostiary/test-kit/server'
import { expect, it } from 'vitest'
import { fencesOf } from './fences.ts'
import { emptyFolder, run, SERVE, start } from './shell.ts'

const PAGE = 'docs/admin-api.md'
/** Between the output of one block and the next. */
const END = '-- end of a block --'

it('a program gets a token, creates a client, patches it, lists clients and tries a change', async () => {
  const port = await freePort()
  const here = (text: string) => text.replaceAll('localhost:3000', `localhost:${port}`)
  const fences = fencesOf(PAGE)
  const [, , configuration] = fences.filter(({ language }) => language === 'json')
  const cwd = await emptyFolder()
  const file = { app: { url: `http://localhost:${port}` }, ...JSON.parse(here(configuration?.code ?? '')) }
  await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(file))
  const env = {
    OIDC_SECRET: SECRET,
    DATABASE_URL: await ownDatabase(),
    PORT: `${port}`,
    DEPLOY_SECRET: 'the secret of deploy, long enough for it',
  }
  await start(SERVE, { cwd, env }).says('"msg":"listening"')
  const blocks = fences.filter(({ language }) => language === 'sh').map(({ code }) => here(code))
  const program = `ostiary() { ${SERVE.replace(/ serve$/, '')} "$@"; }`
  const output = await run([program, ...blocks.map((block) => `${block}\necho '${END}'`)].join('\n'), {
    cwd,
    env,
  })
  const [granted = '', token = '', created = '', patched = '', listed = '', dry = ''] = output
    .split(END)
    .map((text) => text.trim())
  expect(granted).toBe('manager in *: deploy')
  expect(token).toBe('')
  expect(created).toMatch(/^HTTP\/1\.1 201 /)
  expect(JSON.parse(patched)).toMatchObject({ client_id: 'notes', access_token_lifetime: 300 })
  const { items, next } = JSON.parse(listed)
  expect(items.map(({ client_id }: { client_id: string }) => client_id)).toEqual([
    'deploy',
    'notes',
    'ostiary-cli',
    'ostiary-console',
  ])
  expect(next).toBeNull()
  expect(JSON.parse(dry)).toEqual({
    changes: [{ pointer: '/access_token_lifetime', from: 300, to: 600 }],
    effects: { sessions: 0, grants: 0, consents: 0, keys: 0 },
  })
}, 240_000)
