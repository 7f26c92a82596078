/** `ostiary login` and `ostiary logout`: an administrator on another computer, with a server on PostgreSQL. */

import { expect, it, vi } from 'vitest'
import { computer, type RemotePlace, remotePlace, signInByBrowser } from './remote-server.ts'

vi.setConfig({ testTimeout: 300_000 })

const liveGrants = ({ storage }: RemotePlace) => storage.grants.list('ann-1', Math.floor(Date.now() / 1000))

it('signs in by a browser, stores that for the user alone, lists it, and ends it', async () => {
  const place = await remotePlace({ dpop: 'nonce' })
  const { issuer } = place.server
  const own = await computer()
  const { code, stdout, stderr, page } = await signInByBrowser(place, own)
  expect([code, stdout]).toEqual([0, `Signed in to ${issuer} as ann\n`])
  expect(stderr).toMatch(/^Sign in at this address:\nhttp/)
  expect(page).toContain('You are signed in')
  expect(await own.modes()).toEqual(['700', '600'])
  const first = await own.stored(issuer)
  expect(first).toMatchObject({ issuer, sub: 'ann-1', username: 'ann', dpop_key: { crv: 'P-256' } })
  expect(await liveGrants(place)).toMatchObject([
    { client_id: 'ostiary-cli', jkt: expect.any(String), offline: false },
  ])
  expect(await own.run('login')).toMatchObject({ code: 0, stdout: expect.stringMatching(/SERVER.*\n.*ann/) })
  const listed = await own.run('login --json')
  expect(JSON.parse(listed.stdout)).toMatchObject({ servers: [{ server: issuer, username: 'ann' }] })
  expect(listed.stdout).not.toMatch(/refresh_token|dpop_key/)
  // A request, each time with a new token; then the key stays for the next sign-in.
  const clients = await own.request(issuer, 'GET /realms/default/clients/ostiary-cli')
  expect(clients).toMatchObject({ status: 200, body: { dpop_bound_access_tokens: true } })
  const second = await own.stored(issuer)
  expect(second).toMatchObject({ dpop_key: first.dpop_key })
  expect(second.refresh_token).not.toBe(first.refresh_token)
  expect(await own.request(issuer, 'GET /realms/default/users/ann-1')).toMatchObject({ status: 200 })
  expect((await signInByBrowser(place, own)).code).toBe(0)
  expect(await own.stored(issuer)).toMatchObject({ dpop_key: first.dpop_key })
  // A sign-in changes nothing on the server: it leaves no event.
  const out = { code: 0, stdout: `Signed out of ${issuer}\n`, stderr: '' }
  expect(await own.run(`logout ${issuer}`)).toMatchObject(out)
  expect(await own.run(`logout ${issuer}`)).toMatchObject({ code: 3 })
  expect(await own.run('login')).toMatchObject({ code: 0, stdout: '' })
  // The former sign-in had a grant of its own.
  expect(await liveGrants(place)).toHaveLength(1)
})
