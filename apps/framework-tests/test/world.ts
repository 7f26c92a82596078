/** Ostiary with the entry of a page, and the API that the application calls. */

import { fileURLToPath } from 'node:url'
import { type Place, started } from '@ostiary/test-kit/commands'
import { IN_MEMORY, PASSWORD, type ServerProcess, startTestServer, USERNAME } from '@ostiary/test-kit/server'
import { onTestFinished } from 'vitest'
import type { FrameworkPage } from './page.ts'

export const SECRET = 'a-secret-of-the-client-that-is-long-enough-for-anyone'
const API = fileURLToPath(new URL('../../../examples/hono-api/', import.meta.url))
const ANN = { username: USERNAME, password: PASSWORD, name: 'Ann Example' }

/** @param access_token Seconds that an access token is valid. */
export async function startWorld(
  { entry, ports }: FrameworkPage,
  access_token: number,
): Promise<ServerProcess> {
  const issuer = `http://localhost:${ports.issuer}`
  const server = await startTestServer({
    port: ports.issuer,
    env: { ...IN_MEMORY, CLIENT_SECRET: SECRET },
    config: {
      app: { url: issuer },
      oidc: { ...entry.oidc, tokens: { access_token } },
      clients: entry.clients,
      users: [ANN],
    },
  })
  const { PATH = '', HOME = '' } = process.env
  const api = `http://localhost:${ports.api}`
  const env = { PATH, HOME, PORT: `${ports.api}`, ISSUER: issuer, WEB_APP: `http://localhost:${ports.app}` }
  const place: Place = { cwd: API, env }
  const metadata = `${api}/.well-known/oauth-protected-resource/notes`
  const running = await started(place, [process.execPath, 'dist/server.js'], metadata)
  onTestFinished(running.stop)
  return server
}
