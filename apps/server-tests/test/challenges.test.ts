/** The challenges of UserInfo on the wire: simple clients read only the first scheme of a `WWW-Authenticate` header. */

import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startInProcess } from './in-process.ts'

async function challenges(dpop: 'off' | 'on', headers: Record<string, string> = {}) {
  const server = await startInProcess((port) => ({
    oidc: { issuer: `http://127.0.0.1:${port}`, dpop },
  }))
  onTestFinished(() => server.stop())
  const request = get(`${server.issuer}/oauth/userinfo`, { headers, agent: false })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  const { statusCode, headersDistinct } = answer
  return {
    status: statusCode,
    values: headersDistinct['www-authenticate']?.map((value) => value.replaceAll(server.issuer, '<issuer>')),
    cors: headersDistinct['access-control-allow-origin'],
  }
}

const METADATA = 'resource_metadata="<issuer>/.well-known/oauth-protected-resource"'

describe('UserInfo on Node', () => {
  it('with DPoP: one header per scheme', async () => {
    expect(await challenges('on')).toEqual({
      status: 401,
      values: [
        `Bearer realm="default", ${METADATA}`,
        expect.stringMatching(/^DPoP realm="default", algs="[^"]+", /),
      ],
      cors: ['*'],
    })
  })

  it('with DPoP and a bad token: the error belongs to the scheme of the request', async () => {
    const refused = await challenges('on', { authorization: 'DPoP nonsense' })
    expect(refused.values).toEqual([
      `Bearer realm="default", ${METADATA}`,
      expect.stringMatching(/^DPoP realm="default", error="[a-z_]+", algs="[^"]+", /),
    ])
  })

  it('without DPoP: one header', async () => {
    expect(await challenges('off')).toEqual({
      status: 401,
      values: [`Bearer realm="default", ${METADATA}`],
      cors: ['*'],
    })
  })
})
