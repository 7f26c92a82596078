/** What a stranger can store: counters, and as many mails as the realm may send in an hour. */

import { freePort } from '@ostiary/test-kit/ports'
import { CLIENT_SECRET, configFor, startTestServer } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { database } from './commands.ts'

vi.setConfig({ testTimeout: 1_200_000 })

const OF_EACH = Number(process.env.OSTIARY_STRANGERS ?? 300)
const MAILS_PER_HOUR = 40
/** A quarter is kept for known devices and for operators. */
const MAILS_OF_STRANGERS = 30
const AT_ONCE = 8

interface Stranger {
  issuer: string
  /** Differs from request to request. */
  index: number
}

type Ask = (path: string, fields?: Record<string, string>) => Promise<Response>

/** Each is another address of the internet. */
const addressOf = (index: number): string => `198.18.${(index >> 8) & 255}.${index & 255}`

/** A browser of one page: it keeps the cookies of the page for the form. */
async function postForm(ask: Ask, path: string, values: Record<string, string>): Promise<void> {
  const page = await (await ask(path)).text()
  const [, csrf_token = ''] = /name="csrf_token" value="([^"]+)"/.exec(page) ?? []
  const answer = await ask(path, { csrf_token, ...values })
  expect([200, 303, 422, 429]).toContain(answer.status)
}

const VISITS: Readonly<Record<string, (ask: Ask, stranger: Stranger) => Promise<void>>> = {
  async pages(ask, { index }) {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'notes',
      redirect_uri: 'http://127.0.0.1/callback',
      scope: 'openid',
      state: `state ${index}`,
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    })
    for (const path of [`/oauth/authorize?${query}`, '/login', '/login/recover', '/login/signup', '/account'])
      expect((await ask(path)).status).toBeLessThan(400)
  },
  async 'links that were never mailed'(ask, { index }) {
    for (const page of ['ticket', 'reset', 'regain', 'signup'])
      expect((await ask(`/login/${page}?t=${'A'.repeat(40)}${index}`)).status).toBe(400)
  },
  'forgotten passwords': (ask, { index }) =>
    postForm(ask, '/login/recover', { username: `user-${index}@example.com` }),
  async 'mailed codes'(ask, { index }) {
    const path = '/login/code?return_to=%2Faccount'
    const return_to = '/account'
    await postForm(ask, path, { return_to, username: `user-${index}` })
    for (let tries = 0; tries < 6; tries += 1) await postForm(ask, path, { return_to, code: 'BCDF-GHJK' })
  },
  'sign-ups': (ask, { index }) => postForm(ask, '/login/signup', { address: `new-${index}@example.com` }),
  async 'answers of a provider'(ask, { index }) {
    const answer = await ask(`/login/callback/github?code=${index}&state=${'s'.repeat(43)}`)
    expect([400, 403, 429]).toContain(answer.status)
  },
}

it(`${OF_EACH} visits of each kind store counters, and no more mails than an hour may have`, async () => {
  const { env, executor } = await database(onTestFinished)
  const nobody = await freePort()
  const github = { type: 'github', client_id: 'x', client_secret_env: 'GITHUB_SECRET', name: 'GitHub' }
  const server = await startTestServer({
    config: (port: number) => ({
      ...configFor('http://127.0.0.1/callback')(port),
      trusted_proxies: ['127.0.0.1', '::1'],
      identity: {
        mail: { from: 'Example <id@example.com>', per_hour: MAILS_PER_HOUR },
        signup: 'open',
        email_codes: true,
        recovery: { mail: true },
        upstreams: { github },
      },
    }),
    // No mail leaves: each stays in the queue.
    env: { ...env, SMTP_URL: `smtp://127.0.0.1:${nobody}`, GITHUB_SECRET: CLIENT_SECRET },
  })

  const tables = await executor.query<{ name: string }>(
    `select tablename as name from pg_tables where tablename like 'oidc\\_%' order by 1`,
    [],
  )
  async function rows(): Promise<Record<string, number>> {
    const counted: Record<string, number> = {}
    for (const { name } of tables) {
      const [row] = await executor.query<{ count: number }>(`select count(*)::int as count from ${name}`, [])
      counted[name] = row?.count ?? -1
    }
    return counted
  }

  const before = await rows()
  const visits = Object.values(VISITS).flatMap((visit) => Array.from({ length: OF_EACH }, () => visit))
  const left = visits.map(
    (visit, index) => () => visit(askFrom(server.issuer, index), { issuer: server.issuer, index }),
  )
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) await next()
    }),
  )
  const after = await rows()
  const grown = Object.keys(after).filter((table) => after[table] !== before[table])
  console.log(
    `${visits.length} visits: ${grown.map((table) => `${table} ${before[table]} to ${after[table]}`).join(', ')}`,
  )
  expect(grown.sort()).toEqual(['oidc_mails', 'oidc_throttles'])
  expect(after.oidc_mails).toBeLessThanOrEqual(MAILS_OF_STRANGERS)
})

function askFrom(issuer: string, index: number): Ask {
  const cookies = new Map<string, string>()
  return async (path, fields) => {
    const response = await fetch(issuer + path, {
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        'x-forwarded-for': addressOf(index),
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    return response
  }
}
