/** docs/device.md: a device that sends the two commands gets tokens when the user has allowed it. */

import { browser, filled, formOf } from '@ostiary/test-kit/browser'
import { expect, it } from 'vitest'
import { fencesOf } from './fences.ts'
import { PASSWORD, sendCommand, startPageServer } from './page-server.ts'

const PAGE = 'docs/device.md'
const ISSUER = 'http://localhost:3000'

it('the commands give tokens when the user has entered the code and allowed the device', async () => {
  const fetch = await startPageServer(PAGE)
  const [ask = '', poll = '', ...others] = fencesOf(PAGE)
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => code)
  expect(others).toEqual([])
  const send = async (command: string, variables = {}) =>
    (await sendCommand(fetch, command, variables)).json()
  const { device_code: DEVICE_CODE, user_code, verification_uri } = await send(ask)
  expect(await send(poll, { DEVICE_CODE })).toMatchObject({ error: 'authorization_pending' })

  const b = browser(fetch)
  const toSignIn = await b.post(verification_uri, { user_code })
  const form = formOf(await (await b.get(toSignIn.headers.get('location') ?? '')).text())
  const fields = { username: 'ann', password: PASSWORD }
  const back = await b.post(`${ISSUER}/login`, filled(form, fields).toString())
  expect(back.headers.get('location')).toBe(`${verification_uri}?user_code=${user_code}`)
  const page = formOf(await (await b.post(verification_uri, { user_code })).text())
  expect((await b.post(page.action, filled(page, { answer: 'allow' }).toString())).status).toBe(200)

  expect(await send(poll, { DEVICE_CODE })).toMatchObject({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    id_token: expect.any(String),
  })
})
