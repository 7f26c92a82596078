/** What the commands do. */

import type { LoginInput, LoginOutput, LoginResult, LoginTools } from './command-types.js'
import { LoginError } from './login-error.js'
import { printable, serverOrigin } from './server-origin.js'
import { login, logout } from './sign-in/login.js'
import { openBrowser } from './sign-in/open-browser.js'
import { type CredentialStore, credentialStore, type SignIn } from './store/credentials.js'

/** By the names of the commands. */
export const RUNS = {
  login: (tools: LoginTools, input: LoginInput, output: LoginOutput) =>
    told(tools, () => (input.args.length === 0 ? list(tools, output) : signIn(input, output))),
  logout: (tools: LoginTools, input: LoginInput, output: LoginOutput) =>
    told(tools, () => signOut(tools, input, output)),
}

/** The refusal as the error of a command. */
async function told<T>(tools: LoginTools, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof LoginError) throw tools.failure(error.message)
    throw error
  }
}

async function list(tools: LoginTools, { env }: LoginOutput): Promise<LoginResult> {
  const entries = [...(await credentialStore(env).all())]
  const json = { servers: entries.map(([server, sign_in]) => shown(server, sign_in)) }
  if (entries.length === 0)
    return {
      text: '',
      json,
      note: 'You are signed in to no server: run ostiary login https://id.example.com',
    }
  const rows = entries.map(([server, { username, sub, signed_in_at }]) => [
    server,
    username ?? sub,
    iso(signed_in_at),
  ])
  return { text: tools.table([['SERVER', 'USER', 'SIGNED IN'], ...rows]), json }
}

/** Without what is secret. */
const shown = (server: string, { issuer, scope, sub, username, signed_in_at }: SignIn) => ({
  server,
  issuer,
  scope,
  sub,
  username,
  signed_in_at,
})

async function signIn(input: LoginInput, { env, err }: LoginOutput): Promise<LoginResult> {
  const server = serverOrigin(input.args[0] ?? '')
  const now = Math.floor(Date.now() / 1000)
  const sign_in = await login(server, {
    store: credentialStore(env),
    by: input.flag('device') ? 'device' : 'browser',
    fresh: input.flag('fresh'),
    now,
    show(url) {
      err(`Sign in at this address:\n${url.href}\n`)
      if (!input.flag('no-browser')) openBrowser(url, env)
    },
    showDevice: ({ url, code }) => err(`Enter the code ${code} at ${url}\n`),
  })
  const { username, sub } = sign_in
  return { text: `Signed in to ${server} as ${printable(username ?? sub)}`, json: shown(server, sign_in) }
}

async function signOut(tools: LoginTools, input: LoginInput, { env }: LoginOutput): Promise<LoginResult> {
  const server = serverOrigin(input.args[0] ?? '')
  const store: CredentialStore = credentialStore(env)
  const ended = await logout(store, server)
  if (ended === null) throw tools.notFound(`You are not signed in to ${server}`)
  const { failure } = ended
  if (failure === null) return { text: `Signed out of ${server}`, json: { server, revoked: true } }
  return {
    text: `Signed out of ${server} on this computer alone`,
    json: { server, revoked: false, reason: failure.message },
    note: `${failure.message}. Until it ends by itself, the server would accept a copy of the sign-in: withdraw the access of the application on the account page`,
    code: 1,
  }
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
