/** Runs the programs with which docs/embed-it.md begins, and gets a token from them. */

import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cookieJar } from '@ostiary/test-kit/browser'
import { decodeJwt } from 'jose'

export const EMBED_START: string = fileURLToPath(new URL('../../../examples/embed-start', import.meta.url))
const TSX: string = createRequire(new URL('../../../package.json', import.meta.url)).resolve('tsx')
const CALLBACK = 'http://localhost:8080/callback'
const VERIFIER = 'a-code-verifier-of-forty-three-characters-or-more'

/** Runs the program beside the original, where its imports resolve, and waits until it answers. */
export async function start(program: string, port: number): Promise<{ stop(): Promise<void> }> {
  const path = join(EMBED_START, `.run-${port}.ts`)
  writeFileSync(path, program)
  const child = spawn(process.execPath, ['--import', TSX, path], { cwd: EMBED_START, stdio: 'inherit' })
  const stop = async () => {
    rmSync(path, { force: true })
    if (child.exitCode === null && child.kill()) await once(child, 'close')
  }
  await answers(child, port).catch(async (error) => {
    await stop()
    throw error
  })
  return { stop }
}

/** A connection is refused until the program listens. */
async function answers(child: ChildProcess, port: number): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(`http://localhost:${port}/.well-known/openid-configuration`).catch(
      () => null,
    )
    if (response?.ok) return
  }
  throw new Error('The program ended before it answered')
}

/** Authorize, sign in, allow where that is asked, redeem: the claims of the ID token. */
export async function firstToken(issuer: string, fields: Record<string, string>) {
  const { keep, header } = cookieJar()
  const send = async (url: string, init: RequestInit = {}) => {
    const headers = { cookie: header(), origin: issuer }
    const response = await fetch(new URL(url, issuer), { ...init, headers, redirect: 'manual' })
    keep(response)
    return response
  }
  const follow = async (response: Response): Promise<Response> => {
    const to = response.headers.get('location')
    return to?.startsWith(issuer) ? follow(await send(to)) : response
  }
  const post = (url: string, form: Record<string, string>) =>
    send(url, { method: 'POST', body: new URLSearchParams(form) }).then(follow)

  const allow = (consent: string) => {
    const [, action = ''] = /action="([^"]+)"/.exec(consent) ?? []
    return post(action, { auth_token: field(consent, 'auth_token') })
  }

  const query = new URLSearchParams({
    client_id: 'notes',
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid profile',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const login = await (await follow(await send(`/oauth/authorize?${query}`))).text()
  const signedIn = await post('/login', { ...fields, return_to: field(login, 'return_to') })
  const allowed = signedIn.headers.has('location') ? signedIn : await allow(await signedIn.text())
  const code = new URL(allowed.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const redeem = { grant_type: 'authorization_code', client_id: 'notes', redirect_uri: CALLBACK }
  const tokens = await post('/oauth/token', { ...redeem, code, code_verifier: VERIFIER })
  return decodeJwt((await tokens.json()).id_token)
}

const field = (page: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? ''
