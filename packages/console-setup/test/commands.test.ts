/** What the commands print of a server's answers, and what they refuse. */

import { expect, it } from 'vitest'
import { upstreamCommands } from '../src/commands.ts'

const GOOGLE = {
  id: 'google',
  name: 'Google',
  type: 'oidc' as const,
  issuer: 'https://accounts.google.com',
  client_id: 'x',
  authentication: 'client_secret' as const,
  redirect_uri: 'https://id.example.com/login/callback/google',
  backchannel_logout_uri: null,
  scopes: null,
  signup: true,
  link: 'signed_in' as const,
  domains: ['a.example', 'b.example'],
  authoritative_domains: [],
  tenants: [],
  only: false,
  require_second_factor: false,
  groups: { claim: 'roles', map: { admins: 'staff' } },
  key: 'identity.upstreams.google',
}

const tools = {
  notFound: (message: string) => new Error(`not found: ${message}`),
  failure: (message: string) => new Error(`failed: ${message}`),
  table: (rows: readonly (readonly string[])[]) => rows.map((row) => row.join(' | ')).join('\n'),
}

/** Runs a line on a server that answers so. */
function onServer(name: string, args: readonly string[], answers: Record<string, unknown>) {
  const sent: string[] = []
  const commands = upstreamCommands<{ args: readonly string[]; text(): string }, null>(
    () => Promise.reject(new Error('it reads the configuration')),
    tools,
    (_input, _output, run) =>
      run(null, async <Answer>(method: string, path: readonly string[]) => {
        const line = `${method} ${path.join('/')}`
        sent.push(line)
        return answers[line] as Answer
      }),
  )
  const command = commands.find((each) => each.name === name)
  return { sent, run: async () => command?.run({ args, text: () => 'https://id.example.com' }, null) }
}

it('a provider is shown without what is empty, and nothing is asked of it', async () => {
  const { sent, run } = onServer('upstream show', ['google'], { 'GET upstreams': { items: [GOOGLE] } })
  const shown = await run()
  expect(shown?.json).toEqual(GOOGLE)
  for (const line of [
    'signup | yes',
    'only | no',
    'domains | a.example b.example',
    'tenants | -',
    'scopes | -',
    'groups | roles: admins=staff',
  ])
    expect(shown?.text.split('\n')).toContain(line)
  expect(sent).toEqual(['GET upstreams'])
})

it('a check that finds something has the exit code 1', async () => {
  const check = { id: 'google', asked: true, ready: false, reason: 'no_keys', hint: 'Tell them.' }
  const { run } = onServer('upstream check', ['google'], {
    'GET upstreams': { items: [GOOGLE] },
    'POST upstreams/google/check': check,
  })
  expect(await run()).toEqual({
    text: 'A sign-in at google cannot begin (no_keys). Tell them.',
    json: check,
    code: 1,
  })
})

it.each([[''], ['none'], ['constructor']])('%j is no provider, and is not asked', async (id) => {
  const { sent, run } = onServer('upstream check', [id], { 'GET upstreams': { items: [GOOGLE] } })
  await expect(run()).rejects.toThrow(
    `not found: There is no provider ${JSON.stringify(id)}: the realm has google`,
  )
  expect(sent).toEqual(['GET upstreams'])
})

it('a realm without providers says what to set', async () => {
  const { run } = onServer('upstream list', [], { 'GET upstreams': { items: [] } })
  expect(await run()).toEqual({
    text: '',
    json: { upstreams: [] },
    note: 'The realm has no other providers: set identity.upstreams',
  })
})

it.each([[null], [{}], [{ items: 'none' }], [{ items: [null] }], [{ items: [{ id: 1 }] }]])(
  'the answer %j is not that of the admin API',
  async (answer) => {
    const { run } = onServer('upstream list', [], { 'GET upstreams': answer })
    await expect(run()).rejects.toThrow('failed: The answer about upstreams is not that of the admin API')
  },
)

it.each([[null], [{}], [{ id: 'other', ready: true }], [{ id: 'google', ready: 'yes' }]])(
  'the check %j is not that of the admin API',
  async (answer) => {
    const { run } = onServer('upstream check', ['google'], {
      'GET upstreams': { items: [GOOGLE] },
      'POST upstreams/google/check': answer,
    })
    await expect(run()).rejects.toThrow('failed: The answer about upstreams is not that of the admin API')
  },
)
