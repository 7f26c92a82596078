/** docs/device.md: a device that sends the two commands gets tokens when the user has allowed it. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { memoryStorage } from '@ostiary/core/memory'
import { configuredLog, createApp, readConfig } from '@ostiary/host'
import { memoryUsers } from '@ostiary/identity'
import { browser, filled, formOf } from '@ostiary/test-kit/browser'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { expect, it, onTestFinished } from 'vitest'
import { fence, fencesOf } from './fences.ts'

const PAGE = 'docs/device.md'
const ISSUER = 'http://localhost:3000'
const PASSWORD = 'a long passphrase'

async function startApp() {
  const cwd = await temporaryFolder()
  await writeFile(join(cwd, 'ostiary.config.json'), fence(PAGE, '{'))
  const secret = 'the-secret-of-the-tests-is-long-enough'
  const env = { OIDC_SECRET: secret, OSTIARY_STORAGE: 'memory', ANN_PASSWORD: PASSWORD }
  const config = await readConfig(env, cwd)
  const storage = { storage: memoryStorage(), users: memoryUsers(), parts: {}, close: async () => {} }
  const app = await createApp(config, { log: configuredLog(config, () => {}), storage })
  await app.start()
  onTestFinished(() => app.stop())
  return (request: Request) => app.fetch(request, {})
}

/** Sends what the curl command sends. */
async function run(fetch: (request: Request) => Promise<Response>, command: string, device_code = '') {
  const filledIn = command.replace('$DEVICE_CODE', device_code)
  const [, url = ''] = /^curl -s (\S+)/.exec(filledIn) ?? []
  const body = [...filledIn.matchAll(/ -d (\S+)/g)].map(([, pair]) => pair).join('&')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return (await fetch(new Request(url, { method: 'POST', headers, body }))).json()
}

it('the commands give tokens when the user has entered the code and allowed the device', async () => {
  const fetch = await startApp()
  const [ask = '', poll = '', ...others] = fencesOf(PAGE)
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => code)
  expect(others).toEqual([])
  const { device_code, user_code, verification_uri } = await run(fetch, ask)
  expect(await run(fetch, poll, device_code)).toMatchObject({ error: 'authorization_pending' })

  const b = browser(fetch)
  const toSignIn = await b.post(verification_uri, { user_code })
  const form = formOf(await (await b.get(toSignIn.headers.get('location') ?? '')).text())
  const fields = { username: 'ann', password: PASSWORD }
  const back = await b.post(`${ISSUER}/login`, filled(form, fields).toString())
  expect(back.headers.get('location')).toBe(`${verification_uri}?user_code=${user_code}`)
  const page = formOf(await (await b.post(verification_uri, { user_code })).text())
  expect((await b.post(page.action, filled(page, { answer: 'allow' }).toString())).status).toBe(200)

  expect(await run(fetch, poll, device_code)).toMatchObject({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    id_token: expect.any(String),
  })
})
