import { once } from 'node:events'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { person } from '@ostiary/test-kit/person'
import { freePort } from '@ostiary/test-kit/ports'
import {
  configFor,
  PASSWORD,
  SECRET,
  type ServerProcess,
  startTestServer,
  USERNAME,
} from '@ostiary/test-kit/server'
import { describe, expect, it } from 'vitest'

const CALLBACK = 'http://localhost:8080/callback'
const CODE = {
  client_id: 'notes',
  redirect_uri: CALLBACK,
  response_type: 'code',
  scope: 'openid',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

async function tokens({ issuer }: ServerProcess, form: Record<string, string>) {
  const body = new URLSearchParams({ client_id: 'notes', ...form })
  const response = await fetch(`${issuer}/oauth/token`, { method: 'POST', body })
  return { status: response.status, ...((await response.json()) as { refresh_token: string }) }
}

const codeIn = (url: URL) => ({
  grant_type: 'authorization_code',
  code: url.searchParams.get('code') ?? '',
  redirect_uri: CALLBACK,
  code_verifier: VERIFIER,
})

describe('the embedded database', () => {
  it('keeps session, consent and grant through a SIGKILL', async () => {
    const DATA_DIR = await temporaryFolder()
    const start = {
      config: configFor(CALLBACK),
      port: await freePort(),
      env: { OIDC_SECRET: SECRET, DATA_DIR },
    }
    const server = await startTestServer(start)
    const ann = person(server.issuer)
    const authorize = `${server.issuer}/oauth/authorize?${new URLSearchParams(CODE)}`
    const signIn = await ann.open(authorize)
    const consent = await ann.submit(signIn, { username: USERNAME, password: PASSWORD })
    const { url } = await ann.submit(consent)
    const first = await tokens(server, codeIn(url))
    expect(first.status).toBe(200)
    const gone = once(server.child, 'close')
    server.child.kill('SIGKILL')
    await gone

    const again = await startTestServer(start)
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
    expect(await tokens(again, refresh)).toMatchObject({ status: 200 })
    expect(await tokens(again, codeIn(url))).toMatchObject({ status: 400, error: 'invalid_grant' })
    // Neither sign-in nor consent is asked for again.
    const { url: back } = await ann.open(`${authorize}&prompt=none`)
    expect(await tokens(again, codeIn(back))).toMatchObject({ status: 200 })
  })
})
