/** docs/private-key-jwt.md: its programs make keys, a client and tokens, by a library and by curl. */

import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownDatabase } from '@ostiary/test-kit/database'
import { jwtClaims } from '@ostiary/test-kit/jwt'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET, startTestServer } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished } from 'vitest'
import { fence, ROOT } from './fences.ts'
import { emptyFolder, run } from './shell.ts'

const PAGE = 'docs/private-key-jwt.md'

it('a service gets tokens with its private key', { timeout: 480_000 }, async () => {
  const port = await freePort()
  const block = (begins: string) => fence(PAGE, begins).replaceAll(':3000', `:${port}`)
  const cwd = await emptyFolder()
  await symlink(join(ROOT, 'apps/docs-tests/node_modules'), join(cwd, 'node_modules'))
  for (const name of ['make-keys', 'token', 'assertion'])
    await writeFile(join(cwd, `${name}.mjs`), block(`// ${name}.mjs`))
  const config = block('{')
  await writeFile(join(cwd, 'ostiary.config.json'), config)
  const env = { OIDC_SECRET: SECRET, DATABASE_URL: await ownDatabase(onTestFinished) }
  await run('node apps/node-server/dist/main.js migrate', { cwd, env })
  expect(await run(block('node make-keys.mjs'), { cwd, env })).toMatch(/^jwks +EC P-256 ES256 \S+$/m)

  const { issuer } = await startTestServer({ config, env, port })
  const by_library = await run('node token.mjs', { cwd })
  const { access_token } = JSON.parse(await run(block('curl -s'), { cwd }))
  const claims = { iss: issuer, sub: 'worker', client_id: 'worker', scope: 'jobs.run' }
  for (const token of [by_library, access_token]) expect(jwtClaims(token.trim())).toMatchObject(claims)
})

// packages/core/test/pushed-request-errors.test.ts shows that it is so.
it('the page says which aud the assertion of a pushed authorization request may have', async () => {
  const [, rule] = /^\| `aud` \| (.*) \|$/m.exec(await readFile(join(ROOT, PAGE), 'utf8')) ?? []
  expect(rule).toContain(
    'a pushed authorization request may also have that of the token endpoint (RFC 9126 §2)',
  )
})
