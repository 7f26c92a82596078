/** For any request: never a 500, never an exception, never a redirect to an unregistered URI. */

import { sha256 } from '@ostiary/core'
import fc from 'fast-check'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { anyText, type Busy, BYE, busy, PATHS, sentTo } from './arbitrary.js'
import { CLIENT_SECRET, REDIRECT_URI } from './support.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the runs of each property, in percent; 100 when absent. */
    property_runs: number | undefined
  }
}

const runs = (all: number): number => Math.ceil((all * (inject('property_runs') ?? 100)) / 100)

describe.each(['single', 'path'] as const)('Any request (realms by %s)', (routing) => {
  let at: Busy
  let places: string[]
  beforeAll(async () => {
    at = await busy(routing)
    const { issuer } = at.w
    places = [
      REDIRECT_URI,
      BYE,
      `${issuer}/login`,
      `${issuer}/oauth/authorize/resume`,
      `${issuer}/oauth/logout`,
    ]
  })

  async function expectSound(request: Request): Promise<Response> {
    const response = await at.w.provider.fetch(request)
    expect(response.status).toBeLessThan(500)
    expect(at.w.events.splice(0).filter(({ type }) => type === 'server.error')).toEqual([])
    const location = response.headers.get('location')
    const place = location?.split('?')[0] ?? REDIRECT_URI
    if (!/^http:\/\/localhost(:\d+)?\/cb$/.test(place)) expect(places).toContain(place)
    return response
  }

  it.each(PATHS)('%s answers below 500, and redirects to registered places only', async (path) => {
    await fc.assert(
      fc.asyncProperty(sentTo(path), async (sent) => void (await expectSound(await at.requestOf(sent)))),
      { numRuns: runs(80) },
    )
  })

  it.each(PATHS.filter((path) => !/token|register/.test(path)))(
    '%s: no answer holds a secret',
    async (path) => {
      const hash = sha256(CLIENT_SECRET)
      await fc.assert(
        fc.asyncProperty(sentTo(path), async (sent) => {
          const request = await at.requestOf(sent)
          const requestText = `${decodeURIComponent(request.url.replace(/%(?![\dA-F]{2})/gi, ''))}${await request.clone().text()}`
          const response = await expectSound(request)
          const text = `${[...response.headers].join()}${await response.text()}`
          for (const secret of [CLIENT_SECRET, hash, ...at.browser.cookies.values()])
            if (!requestText.includes(secret)) expect(text).not.toContain(secret)
        }),
        { numRuns: runs(30) },
      )
    },
  )

  it('any path and any method', async () => {
    const segment = fc.oneof(
      fc.constantFrom('realms', 'acme', 'other', '.well-known', 'oauth', 'token', '..', '%2e%2e', '%00', '%'),
      fc.constantFrom(
        'openid-configuration',
        'oauth-protected-resource',
        'oauth-authorization-server',
        'jwks.json',
      ),
      anyText,
    )
    const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND')
    await fc.assert(
      fc.asyncProperty(fc.array(segment), method, async (segments, chosen) => {
        const url = new URL('https://id.example.com')
        url.pathname = `/${segments.join('/')}`
        await expectSound(new Request(url, { method: chosen }))
      }),
      { numRuns: runs(200) },
    )
  })
})

describe.each(['single', 'path'] as const)('The answer (realms by %s)', (routing) => {
  it('does not depend on the Host or X-Forwarded-* headers', async () => {
    const disguise = {
      host: 'evil.example.org',
      'x-forwarded-host': 'evil.example.org',
      'x-forwarded-proto': 'http',
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-prefix': '/evil',
      forwarded: 'host=evil.example.org',
    }
    const answerOf = async ({ w }: Busy, request: Request) => {
      const response = await w.provider.fetch(request)
      return [response.status, [...response.headers], await response.text()]
    }
    await fc.assert(
      fc.asyncProperty(fc.oneof(...PATHS.map(sentTo)), async (sent) => {
        const plain = await busy(routing)
        const disguised = await busy(routing)
        const expected = await answerOf(plain, await plain.requestOf(sent))
        const request = await disguised.requestOf(sent, 'http://evil.example.org:8080')
        const headers = new Headers(request.headers)
        for (const [name, value] of Object.entries(disguise)) headers.set(name, value)
        expect(await answerOf(disguised, new Request(request, { headers }))).toEqual(expected)
      }),
      { numRuns: runs(40) },
    )
  })
})
