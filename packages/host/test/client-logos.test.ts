/** The server fetches the logo of a configured client, once, and serves it: the browser never asks the client's host. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@ostiary/test-kit/eventually'
import { expect, it, onTestFinished } from 'vitest'
import { FILE, startApp } from './support.ts'

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

async function logoHost() {
  const requests: unknown[] = []
  const server = createServer(({ url, headers: { cookie, referer } }, response) => {
    requests.push({ url, cookie, referer })
    response.writeHead(200, { 'content-type': 'text/html' }).end(PNG)
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { requests, logo_uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/logo.png` }
}

const REQUEST = new URLSearchParams({
  response_type: 'code',
  client_id: 'app',
  redirect_uri: 'http://localhost:8080/callback',
  code_challenge: 'a'.repeat(43),
  code_challenge_method: 'S256',
})

async function signInPage(logo_uri: string, url = FILE.app.url) {
  const clients = FILE.clients.map((client) => ({ ...client, logo_uri }))
  const { get, lines } = await startApp({ ...FILE, app: { url }, clients })
  const { headers } = await get(`/oauth/authorize?${REQUEST}`)
  const src = async () => {
    const html = await (await get(headers.get('location') ?? '')).text()
    return /<img src="([^"]*)"/.exec(html)?.[1]?.replace('&amp;', '&')
  }
  return { get, lines, src }
}

it('is on the sign-in page, by its bytes and not by the type that its host says', async () => {
  const { logo_uri, requests } = await logoHost()
  const { get, src } = await signInPage(logo_uri)
  // A page waits for a new logo for a second at most; a later one has it.
  const image = await get(await eventually(async () => (await src()) ?? false))
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(Buffer.from(await image.arrayBuffer())).toEqual(PNG)
  expect(requests).toEqual([{ url: '/logo.png', cookie: undefined, referer: undefined }])
})

it('is absent where its address is on this machine, unless the issuer is on it too', async () => {
  const { logo_uri, requests } = await logoHost()
  expect(await (await signInPage(logo_uri, 'https://id.example.com')).src()).toBeUndefined()
  expect(await (await signInPage('https://127.0.0.1/logo.png')).src()).toBeUndefined()
  expect(await (await signInPage('https://10.0.0.1/logo.png')).src()).toBeUndefined()
  expect(requests).toEqual([])
})
