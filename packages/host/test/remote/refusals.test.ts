/** Commands over the admin API when the server refuses, does not answer, or is another one. */

import { AdminApiError, type AdminConnection, LoginError } from '@ostiary/admin-client'
import { expect, it } from 'vitest'
import { place, type Run, SERVER } from './_places.ts'

const over = (line: string) => [...line.split(' '), '--server', SERVER]

/** A server that answers each request like this. */
const answering =
  (request: AdminConnection['request']) =>
  async (server: string): Promise<AdminConnection> => ({ server, request })

const headers = new Headers()

async function ran(line: string, request: AdminConnection['request']): Promise<Run> {
  const { command } = await place()
  return command(over(line), { connect: answering(request) })
}

it('who supports users changes no client, no role and no key, and nothing has changed', async () => {
  const { command, connect, executor } = await place({ role: 'support' })
  const records = () => executor.query('select * from oidc_clients order by client_id')
  const before = await records()
  for (const line of [
    'client create --id new --redirect-uri https://new.example.com/cb',
    'client update deploy --name Other',
    'client revoke deploy --yes',
    'client rotate-secret deploy --yes',
    'client delete deploy --yes',
    'client list',
    'keys rotate',
    'keys revoke --yes none',
  ]) {
    const { code, failure } = await command(over(line), { connect })
    expect([line, code, failure]).toEqual([line, 3, failure])
    expect([line, JSON.stringify(failure)]).toEqual([
      line,
      expect.stringMatching(/There is no|Check the address/),
    ])
  }
  expect(await records()).toEqual(before)
})

it('who reads changes nothing', async () => {
  const { command, connect, users } = await place({ role: 'auditor' })
  await command('user create bob --sub bob-1 --no-password')
  expect((await command(over('user show bob'), { connect })).code).toBe(0)
  for (const line of [
    'user disable bob',
    'user delete bob --yes',
    'user set-password bob',
    'user recovery-link bob',
  ]) {
    const { code, printed } = await command(over(line), { connect })
    expect([line, code, printed]).toEqual([line, 3, undefined])
  }
  expect(await users.find('bob-1')).toMatchObject({ disabled_at: null, password_hash: null })
})

it('an account with a role beyond the own is not changed', async () => {
  const { command, connect, users } = await place({ role: 'support' })
  await command('admin bootstrap ann')
  const { code, failure } = await command(over('user disable ann'), { connect })
  expect([code, JSON.stringify(failure)]).toEqual([1, expect.stringContaining('beyond your own')])
  expect((await users.findByUsername('ann'))?.disabled_at).toBeNull()
})

it('a realm that is not there is exit code 3, and names the option', async () => {
  const { command, connect } = await place()
  for (const line of ['client list --realm none', 'client show x --realm none', 'user show x --realm none']) {
    const { code, failure } = await command(over(line), { connect })
    expect([code, failure]).toMatchObject([
      3,
      { message: `There is no realm none on ${SERVER}, or you have no role in it; name one with --realm` },
    ])
  }
})

it('a record that was changed meanwhile stays as the other one has left it', async () => {
  const { command, connect, storage, users } = await place()
  await command('client create --id made --redirect-uri https://made.example.com/cb')
  await command('user create bob --sub bob-1 --no-password')
  /** Another administrator is faster each time. */
  const overtaken = async (server: string): Promise<AdminConnection> => {
    const { request } = await connect(server)
    return {
      server,
      async request(call) {
        if (call.method === 'PATCH') await command('client update made --name Theirs')
        if (call.method === 'PUT') await command('user update bob --claim name=Theirs')
        if (call.method === 'DELETE') await command('user update bob --claim name=Later')
        return request(call)
      },
    }
  }
  for (const line of [
    'client update made --name Mine',
    'user update bob --claim name=Mine',
    'user delete bob --yes',
  ])
    expect([line, await command(over(line), { connect: overtaken })]).toMatchObject([
      line,
      { code: 1, failure: { message: 'It was changed at the same time: run the command again' } },
    ])
  expect((await storage.clients.find('made'))?.client_name).toBe('Theirs')
  expect((await users.find('bob-1'))?.claims.name).toBe('Later')
})

it('a session is ended with its user', async () => {
  const { command, connect } = await place()
  expect(await command(over('session end --sid x'), { connect })).toMatchObject({
    code: 2,
    failure: { message: '--sid: with --server, name the user of the session too, with --user' },
  })
})

it('a server that cannot be reached, and one without a sign-in, is a sentence', async () => {
  const message = `You are not signed in to ${SERVER}: run ostiary login ${SERVER}`
  const { command } = await place()
  const refused = await command(over('client list'), {
    connect: () => Promise.reject(new LoginError(message)),
  })
  expect(refused).toMatchObject({ code: 1, failure: { message } })
  const unreachable = await ran('client list', () => Promise.reject(new LoginError('It has not answered')))
  expect(unreachable).toMatchObject({ code: 1, failure: { message: 'It has not answered' } })
})

it('a server that cannot answer at the moment says so, with the id of the request', async () => {
  const problem = {
    type: 'urn:ostiary:problem:unavailable',
    title: 'x',
    detail: 'Try again',
    request_id: 'r-1',
  }
  const found = await ran('user list', () => Promise.reject(new AdminApiError(503, problem)))
  expect(found).toMatchObject({ code: 1, failure: { message: 'Try again. request_id: r-1' } })
})

it.each([
  ['a page of a proxy', 200, '<html>'],
  ['a redirect to a sign-in', 302, null],
  ['JSON of something else', 200, { hello: 'world' }],
  ['no JSON document', 200, 7],
])('%s is no answer of the API', async (_, status, body) => {
  for (const line of ['client list', 'user show bob'])
    expect(await ran(line, async () => ({ status, headers, body }))).toMatchObject({
      code: 1,
      failure: {
        message: expect.stringContaining('is this the address of the server, and is admin.enabled set?'),
      },
    })
})

it('an error page of a proxy is no answer of the API', async () => {
  const page = { type: 'about:blank', title: `${SERVER} answers with 502` }
  const found = await ran('client list', () => Promise.reject(new AdminApiError(502, page)))
  expect(found).toMatchObject({
    code: 1,
    failure: { message: expect.stringContaining(`${SERVER} answers 502`) },
  })
})

it('no text of a server controls the terminal', async () => {
  const nasty = 'a\u001b]0;x\u0007\u009b31m'
  const client = {
    client_id: nasty,
    client_name: nasty,
    token_endpoint_auth_method: 'none',
    origin: 'operator',
    revoked_at: null,
  }
  const listed = await ran('client list', async () => ({
    status: 200,
    headers,
    body: { items: [{ ...client, redirect_uris: [nasty] }], next: null },
  }))
  expect(listed.code).toBe(0)
  const refused = await ran('client list', () =>
    Promise.reject(
      new AdminApiError(409, {
        type: 'x',
        title: nasty,
        detail: nasty,
        errors: [{ pointer: `/${nasty}`, message: nasty }],
      }),
    ),
  )
  const detail = await ran('user list', () =>
    Promise.reject(new AdminApiError(403, { type: 'x', title: 'x', detail: nasty })),
  )
  for (const { printed, failure } of [listed, refused, detail])
    for (const text of [
      printed?.text,
      JSON.stringify(printed?.json),
      JSON.stringify(failure),
      (failure as Error | undefined)?.message,
    ])
      expect(text ?? '').not.toMatch(/[^\P{Cc}\n]/u)
})

it('a list of more than 200 entries is read in pages of the API', async () => {
  const asked: string[] = []
  const clients = Array.from({ length: 250 }, (_, n) => ({
    client_id: `c-${String(n).padStart(3, '0')}`,
    client_name: 'C',
    revoked_at: null,
    token_endpoint_auth_method: 'none',
    origin: 'operator',
  }))
  const request: AdminConnection['request'] = async ({ query = {} }) => {
    asked.push(JSON.stringify(query))
    const from = query.cursor === undefined ? 0 : Number(query.cursor)
    const to = from + Number(query.limit)
    const next = to < clients.length ? String(to) : null
    return { status: 200, headers, body: { items: clients.slice(from, to), next } }
  }
  const first = await ran('client list --limit 199', request)
  expect([asked.splice(0), first.printed?.json]).toEqual([
    ['{"limit":"200"}'],
    expect.objectContaining({ next: 'c-198' }),
  ])
  const second = await ran('client list --limit 200', request)
  expect(asked.splice(0)).toEqual(['{"limit":"200"}', '{"cursor":"200","limit":"1"}'])
  expect(second.printed?.json).toMatchObject({ next: 'c-199' })
})
