/** Starts a project, and signs ann in to its client. */

import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cookieJar } from '@ostiary/test-kit/browser'

const VERIFIER = 'a-code-verifier-of-forty-three-characters-or-more'

/** @param args Of the program, in the folder. */
export async function startProject(folder: string, [program = '', ...args]: string[], issuer: string) {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH, HOME },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await answers(child, issuer)
  return async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'close')
  }
}

/** A connection is refused until the program listens. */
async function answers(child: ChildProcess, issuer: string): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(`${issuer}/.well-known/openid-configuration`).catch(() => null)
    if (response?.ok) return
  }
  throw new Error('The program ended before it answered')
}

/** The value of a variable in the project's `.env`. */
export const variable = (folder: string, name: string): string =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(readFileSync(join(folder, '.env'), 'utf8'))?.[1] ?? ''

export interface SignIn {
  issuer: string
  redirect_uri: string
  password: string
}

/** Authorize, sign in, allow, redeem: the claims of the ID token. */
export async function codeFlow({ issuer, redirect_uri, password }: SignIn): Promise<Record<string, unknown>> {
  const { keep, header } = cookieJar()
  const send = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const headers = { cookie: header(), origin: issuer }
    const body = form && new URLSearchParams(form)
    const method = form ? 'POST' : 'GET'
    const response = await fetch(new URL(url, issuer), {
      method,
      headers,
      redirect: 'manual',
      ...(body && { body }),
    })
    keep(response)
    const to = new URL(response.headers.get('location') ?? redirect_uri, issuer)
    return to.origin === issuer ? send(to.href) : response
  }
  const query = new URLSearchParams({
    client_id: 'app',
    redirect_uri,
    response_type: 'code',
    scope: 'openid profile',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const login = await (await send(`/oauth/authorize?${query}`)).text()
  const credentials = { ...hidden(login), username: 'ann', password }
  const consent = await (await send('/login', credentials)).text()
  const [, action = ''] = /action="([^"]*authorize[^"]*)"/.exec(consent) ?? []
  const allowed = await send(action, hidden(consent))
  const code = new URL(allowed.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const redeem = { grant_type: 'authorization_code', client_id: 'app', redirect_uri, code_verifier: VERIFIER }
  const { id_token } = (await (await send('/oauth/token', { ...redeem, code })).json()) as {
    id_token: string
  }
  return JSON.parse(Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString('utf8'))
}

/** What the form of a page sends without the user. */
function hidden(page: string): Record<string, string> {
  const fields = page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value]))
}
