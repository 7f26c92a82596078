/** What the tests ask a page while it is loading. */

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { heading, inPage, launchBrowser } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import { expect, it, onTestFinished } from 'vitest'

it('a function, and the title, wait for a page whose answer has only begun', async () => {
  const held: ServerResponse[] = []
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    if (request.url === '/') return void response.end('<!doctype html><h1>One</h1><a href="/two">Go on</a>')
    // Enough for the browser to show it in place of the former page, which is without a body.
    response.write('<!doctype html><html lang="en"><head><title>Two</title>')
    held.push(response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)

  await page.getByRole('link').click()
  await page.waitForURL('**/two', { waitUntil: 'commit' })
  const asked = [inPage(page, () => document.body.children.length), heading(page)]
  // The browser has been asked, and has answered, when it answers this one.
  await eventually(async () => expect(await page.title()).toBe('Two'))
  for (const response of held) response.end('</head><body><h1>Two</h1><p>The end.</p></body></html>')
  expect(await Promise.all(asked)).toEqual([2, 'Two'])
})
