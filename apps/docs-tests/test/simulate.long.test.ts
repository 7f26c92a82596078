/** docs/simulate.md: its commands say what a server would answer. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownDatabase } from '@ostiary/test-kit/database'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET } from '@ostiary/test-kit/server'
import { expect, it } from 'vitest'
import { fencesOf } from './fences.ts'
import { emptyFolder, run, SERVE, start } from './shell.ts'

/** Between the output of one block and the next. */
const END = '-- end of a block --'

it('a request is refused with what to change, and tokens and a sign-in are shown', async () => {
  const port = await freePort()
  const cwd = await emptyFolder()
  const file = { app: { url: `http://localhost:${port}` } }
  await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(file))
  const env = { OIDC_SECRET: SECRET, DATABASE_URL: await ownDatabase(), PORT: `${port}` }
  await start(SERVE, { cwd, env }).says('"msg":"listening"')
  const blocks = fencesOf('docs/simulate.md').map(({ code }) => code)
  const program = `ostiary() { ${SERVE.replace(/ serve$/, '')} "$@"; }`
  const output = await run([program, ...blocks.map((block) => `${block}\necho '${END}'`)].join('\n'), {
    cwd,
    env,
  })
  const [asked = '', tokens = '', signed_in = ''] = output.split(END)
  expect(JSON.parse(asked.slice(asked.lastIndexOf('\n{') + 1))).toMatchObject({
    result: 'refused',
    reason: 'unregistered_redirect_uri',
    setting: 'client.redirect_uris',
    redirects: false,
    user_is_active: true,
  })
  expect(tokens).toMatch(/^preferred_username +"ann" +scope profile$/m)
  expect(tokens).toMatch(/ID token: \d+ bytes, read by notes/)
  expect(signed_in).toMatch(/^user +ann \(ann-1\)$/m)
  expect(signed_in).toMatch(/^offered +password/m)
}, 240_000)
