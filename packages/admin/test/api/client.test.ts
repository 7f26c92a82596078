/**
 * Every operation, through a client of openapi-fetch whose types come from the OpenAPI document. What the document lacks, an
 * operation, a parameter or a member, does not compile here.
 */

import { databaseAuditStore } from '@ostiary/audit'
import { postgresStores } from '@ostiary/storage-postgres'
import createClient from 'openapi-fetch'
import { expect, it } from 'vitest'
import { OPERATIONS } from './_operations.ts'
import { adminPlace, type Place, RESOURCE, userRecord } from './_place.ts'
import { database } from './_storages.ts'
import { DOCUMENT, factor, link, withDocument, withTicket, withWays } from './_ways.ts'
import type { operations, paths } from './openapi-types.ts'

/** The body of an operation: openapi-fetch itself takes further members. */
type BodyOf<Id extends keyof operations> = operations[Id] extends { requestBody: { content: infer Content } }
  ? Content[keyof Content]
  : never

const NOTES: BodyOf<'clients.put'> = {
  client_name: 'Notes',
  redirect_uris: ['https://notes.example.com/callback'],
}
const client = { realm: 'acme', client_id: 'notes' }
const user = { realm: 'acme', sub: 'bob' }

/** The operations that were answered, with the statuses. */
function connected(place: Place, access_token: string) {
  const seen = new Map<string, number>()
  const options = {
    baseUrl: RESOURCE,
    headers: { authorization: `Bearer ${access_token}` },
    fetch: (request: Request) => place.admin.fetch(request),
  }
  const api = createClient<paths, 'application/json' | 'application/problem+json'>(options)
  /** The same addresses, for dry runs. */
  const dry = createClient<paths, 'application/vnd.ostiary.dry-run+json'>(options)
  api.use({
    onResponse({ request, response, schemaPath }) {
      seen.set(`${request.method} ${schemaPath}`, response.status)
    },
  })
  return { api, dry, seen }
}

/** A member that the document has: any other one of an answer is `unknown`, which is none of these. */
type Known = string | number | boolean | object | null | undefined
const expectKnown = (member: Known) => expect(member)

type Api = ReturnType<typeof connected>['api']

async function clients(api: Api): Promise<void> {
  const one = { params: { path: client } }
  const created = await api.PUT('/realms/{realm}/clients/{client_id}', { ...one, body: NOTES })
  expectKnown(created.data?.client_name).toBe('Notes')
  const read = await api.GET('/realms/{realm}/clients/{client_id}', one)
  const etag = read.response.headers.get('etag') ?? ''
  const changes: BodyOf<'clients.patch'> = {
    token_endpoint_auth_method: 'client_secret_basic',
    access_token_lifetime: null,
  }
  const patched = await api.PATCH('/realms/{realm}/clients/{client_id}', {
    params: { path: client, header: { 'If-Match': etag } },
    body: changes,
    headers: { 'content-type': 'application/merge-patch+json' },
  })
  expectKnown(patched.data?.client_secret).toHaveLength(43)
  const page = await api.GET('/realms/{realm}/clients', {
    params: { path: { realm: 'acme' }, query: { limit: '1' } },
  })
  expectKnown(page.data?.items[0]?.client_id).toBe('deploy')
  const next = { path: { realm: 'acme' }, query: { cursor: page.data?.next ?? '' } }
  const rest = await api.GET('/realms/{realm}/clients', { params: next })
  expect(rest.data?.items.map(({ client_id }) => client_id)).toEqual(['notes', 'ops'])
  const rotated = await api.POST('/realms/{realm}/clients/{client_id}/secret', one)
  expectKnown(rotated.data?.client_secret).toHaveLength(43)
  const revoked = await api.POST('/realms/{realm}/clients/{client_id}/revoke', one)
  expectKnown(revoked.data?.revoked_at).toEqual(expect.any(Number))
  const deleted = await api.DELETE('/realms/{realm}/clients/{client_id}', {
    params: { path: client, query: { overwrite: 'true' } },
  })
  expectKnown(deleted.data?.grants).toBe(0)
  const gone = await api.GET('/realms/{realm}/clients/{client_id}', one)
  expectKnown(gone.error?.type).toBe('urn:ostiary:problem:not_found')
  expectKnown(gone.error?.request_id).toEqual(expect.any(String))
  await api.PUT('/realms/{realm}/clients/{client_id}', {
    params: { path: { realm: 'acme', client_id: 'seen' }, header: { 'If-None-Match': '*' } },
    body: NOTES,
  })
  await api.GET('/realms/{realm}/clients/{client_id}', {
    params: { path: { realm: 'acme', client_id: 'seen' } },
  })
}

async function users(api: Api): Promise<void> {
  const one = { params: { path: user } }
  const body: BodyOf<'users.put'> = {
    username: 'bob',
    claims: { email: 'bob@example.com' },
    groups: ['staff'],
  }
  const created = await api.PUT('/realms/{realm}/users/{sub}', { ...one, body })
  expectKnown(created.data?.has_password).toBe(false)
  const found = await api.GET('/realms/{realm}/users', {
    params: { path: { realm: 'acme' }, query: { username: 'BOB' } },
  })
  expectKnown(found.data?.items[0]?.sub).toBe('bob')
  await api.GET('/realms/{realm}/users/{sub}', one)
  const changes: BodyOf<'users.patch'> = { attributes: { level: 3 }, groups: null }
  const patched = await api.PATCH('/realms/{realm}/users/{sub}', {
    params: { path: user, query: { overwrite: 'true' } },
    body: changes,
    headers: { 'content-type': 'application/merge-patch+json' },
  })
  expectKnown(patched.data?.attributes).toEqual({ level: 3 })
  const password: BodyOf<'users.password'> = { password: 'correct horse battery' }
  const set = await api.POST('/realms/{realm}/users/{sub}/password', { ...one, body: password })
  expectKnown(set.data?.sub).toBe('bob')
  expectKnown(set.data?.sessions).toBe(0)
  expectKnown(set.data?.grants).toBe(0)
  const disabled = await api.POST('/realms/{realm}/users/{sub}/disable', one)
  expectKnown(disabled.data?.disabled_at).toEqual(expect.any(Number))
  const enabled = await api.POST('/realms/{realm}/users/{sub}/enable', one)
  expectKnown(enabled.data?.disabled_at).toBeNull()
}

/** Of eve, who has signed in. */
async function access(api: Api): Promise<void> {
  const path = { realm: 'acme', sub: 'eve' }
  const one = { params: { path } }
  const sessions = await api.GET('/realms/{realm}/users/{sub}/sessions', one)
  const [session] = sessions.data?.items ?? []
  expectKnown(session?.client_ids).toEqual(['ops'])
  const grants = await api.GET('/realms/{realm}/users/{sub}/grants', one)
  expectKnown(grants.data?.items[0]?.offline).toBe(true)
  const consents = await api.GET('/realms/{realm}/users/{sub}/consents', one)
  expectKnown(consents.data?.items).toEqual([])
  const ended = await api.DELETE('/realms/{realm}/users/{sub}/sessions/{sid}', {
    params: { path: { ...path, sid: session?.sid ?? '' } },
  })
  expectKnown(ended.data?.sids).toEqual([session?.sid])
  const all = await api.DELETE('/realms/{realm}/users/{sub}/sessions', one)
  expectKnown(all.data?.sids).toEqual([])
  const revoked = await api.DELETE('/realms/{realm}/users/{sub}/grants', {
    params: { path, query: { client_id: 'ops', resource: 'https://other.example.com' } },
  })
  expectKnown(revoked.data?.revoked).toBe(0)
  const withdrawn = await api.DELETE('/realms/{realm}/users/{sub}/consents/{client_id}', {
    params: { path: { ...path, client_id: 'ops' } },
  })
  expectKnown(withdrawn.data?.revoked).toBe(0)
  const rest = await api.POST('/realms/{realm}/users/{sub}/end-access', one)
  expectKnown(rest.data?.sessions).toBe(0)
  expectKnown(rest.data?.grants).toBe(0)
}

/** Of the client ops, with which eve has signed in, and of one that has a document. */
async function ofClients(api: Api): Promise<void> {
  const path = { realm: 'acme', client_id: 'ops' }
  const using = await api.GET('/realms/{realm}/clients/{client_id}/users', { params: { path } })
  const eve = using.data?.items.find(({ sub }) => sub === 'eve')
  expectKnown(eve?.grants).toBe(1)
  expectKnown(eve?.consented_at).toBeNull()
  expectKnown(using.data?.next).toBeNull()
  const documents = await api.GET('/realms/{realm}/client-documents', {
    params: { path: { realm: 'acme' }, query: { limit: '1' } },
  })
  expectKnown(documents.data?.items[0]?.document).toContain('redirect_uris')
  expectKnown(documents.data?.next).toBeNull()
  const document = await api.GET('/realms/{realm}/clients/{client_id}/document', {
    params: { path: { realm: 'acme', client_id: DOCUMENT } },
  })
  expectKnown(document.data?.client_id).toBe(DOCUMENT)
  const forgotten = await api.DELETE('/realms/{realm}/clients/{client_id}/document', {
    params: { path: { realm: 'acme', client_id: DOCUMENT } },
  })
  expectKnown(forgotten.data && 'forgotten' in forgotten.data && forgotten.data.forgotten).toBe(true)
}

/** What the configuration has. */
async function setUp(api: Api): Promise<void> {
  const realm = { params: { path: { realm: 'acme' } } }
  const registration = await api.GET('/realms/{realm}/registration', realm)
  expectKnown(registration.data?.registration.enabled).toBe(false)
  expectKnown(registration.data?.metadata_documents.allowed_hosts).toEqual(['*'])
  const upstreams = await api.GET('/realms/{realm}/upstreams', realm)
  expectKnown(upstreams.data?.items.map(({ id }) => id)).toEqual(['google', 'github'])
  const one = { params: { path: { realm: 'acme', upstream: 'github' } } }
  const github = await api.GET('/realms/{realm}/upstreams/{upstream}', one)
  expectKnown(github.data?.issuer).toBeNull()
  const checked = await api.POST('/realms/{realm}/upstreams/{upstream}/check', one)
  expectKnown(checked.data && 'ready' in checked.data && checked.data.ready).toBe(true)
  const registered = await api.GET('/realms/{realm}/clients', {
    params: { path: { realm: 'acme' }, query: { origin: 'registered' } },
  })
  expectKnown(registered.data?.items).toEqual([])
}

async function server(api: Api): Promise<void> {
  const realm = { params: { path: { realm: 'acme' } } }
  const status = await api.GET('/realms/{realm}/status', realm)
  expectKnown(status.data?.ready).toBe(true)
  expectKnown(status.data?.keys[0]?.alg).toBe('RS256')
  expectKnown(status.data?.mails?.waiting).toBe(1)
  expectKnown(status.data?.deliveries?.oldest_at).toBeNull()
  const mails = await api.GET('/realms/{realm}/mail', realm)
  expectKnown(mails.data?.items[0]?.attempts).toBe(0)
  const body: BodyOf<'mail.test'> = { to: 'ops@example.com' }
  const sent = await api.POST('/realms/{realm}/mail/test', { ...realm, body })
  expectKnown(sent.data && 'sent' in sent.data && sent.data.sent).toBe(true)
}

async function roles(api: Api): Promise<void> {
  const path = { realm: 'acme', kind: 'users', holder: 'bob', role: 'support' }
  const realms: BodyOf<'roles.put'> = { realms: ['acme'] }
  const given = await api.PUT('/realms/{realm}/roles/{kind}/{holder}/{role}', {
    params: { path },
    body: realms,
  })
  expectKnown(given.data?.realms).toEqual(['acme'])
  const list = await api.GET('/realms/{realm}/roles', { params: { path: { realm: 'acme' } } })
  const held = list.data?.items.find(({ sub }) => sub === 'bob')
  expectKnown(held?.role).toBe('support')
  expectKnown(held?.client_id).toBeNull()
  const taken = await api.DELETE('/realms/{realm}/roles/{kind}/{holder}/{role}', { params: { path } })
  expect(taken.data).toBeUndefined()
  const deleted = await api.DELETE('/realms/{realm}/users/{sub}', {
    params: { path: user, query: { overwrite: 'true' } },
  })
  expectKnown(deleted.data?.consents).toBe(0)
}

async function keys(api: Api): Promise<void> {
  const one = { params: { path: { realm: 'acme' } } }
  const body: BodyOf<'keys.rotate'> = { publish_before: 3600 }
  const made = await api.POST('/realms/{realm}/keys', { ...one, body })
  // 200 is the answer to a dry run.
  const key = made.data && 'kid' in made.data ? made.data : undefined
  expectKnown(key?.alg).toBe('RS256')
  const list = await api.GET('/realms/{realm}/keys', one)
  expectKnown(list.data?.items).toHaveLength(2)
  const left = await api.DELETE('/realms/{realm}/keys/{kid}', {
    params: { path: { realm: 'acme', kid: key?.kid ?? '' } },
  })
  expectKnown(left.data?.items).toHaveLength(1)
}

/** Of kim, who has an app, an account at another provider, and a recovery that waits; and of eve, who has no way to sign in. */
async function waysIn(api: Api): Promise<void> {
  const path = { realm: 'acme', sub: 'kim' }
  const one = { params: { path } }
  const factors = await api.GET('/realms/{realm}/users/{sub}/factors', one)
  expectKnown(factors.data?.items).toHaveLength(2)
  const removed = await api.DELETE('/realms/{realm}/users/{sub}/factors/{factor_id}', {
    params: { path: { ...path, factor_id: factors.data?.items[0]?.factor_id ?? '' } },
  })
  expectKnown(removed.data?.removed).toHaveLength(1)
  const all = await api.DELETE('/realms/{realm}/users/{sub}/factors', one)
  expectKnown(all.data?.removed).toHaveLength(1)
  const made = await api.POST('/realms/{realm}/users/{sub}/recovery-link', one)
  expectKnown(made.data && 'link' in made.data && made.data.link).toContain('https://')
  await api.DELETE('/realms/{realm}/users/{sub}/recovery-link', one)
  const links = await api.GET('/realms/{realm}/users/{sub}/links', one)
  expectKnown(links.data?.items[0]?.upstream).toBe('google')
  const unlinked = await api.DELETE('/realms/{realm}/users/{sub}/links/{upstream}', {
    params: { path: { ...path, upstream: 'google' } },
  })
  expectKnown(unlinked.data?.removed[0]?.subject).toBe('kim-there')
  const rest = await api.DELETE('/realms/{realm}/users/{sub}/links', one)
  expectKnown(rest.data?.removed[0]?.upstream).toBe('github')
  const addresses = await api.GET('/realms/{realm}/users/{sub}/addresses', one)
  expectKnown(addresses.data?.items).toEqual([])
  const eve = { params: { path: { realm: 'acme', sub: 'eve' } } }
  const invited = await api.POST('/realms/{realm}/users/{sub}/invitation', { ...eve, body: { print: true } })
  expectKnown(invited.data && 'link' in invited.data && invited.data.link).toContain('https://')
  const invitation = await api.GET('/realms/{realm}/users/{sub}/invitation', eve)
  expectKnown(invitation.data?.created_at).toEqual(expect.any(Number))
  const invitations = await api.GET('/realms/{realm}/invitations', { params: { path: { realm: 'acme' } } })
  expectKnown(invitations.data?.items[0]?.username).toBe('eve')
  expectKnown(invitations.data?.next).toBeNull()
}

async function operating(api: Api): Promise<void> {
  const of_kim = { params: { path: { realm: 'acme' }, query: { username: 'kim' } } }
  const counters = await api.GET('/realms/{realm}/throttles', of_kim)
  expectKnown(counters.data?.items).toEqual([])
  const reset = await api.DELETE('/realms/{realm}/throttles', of_kim)
  expectKnown(reset.data?.reset).toBe(0)
  const rows = await api.GET('/realms/{realm}/audit', {
    params: { path: { realm: 'acme' }, query: { type: 'throttle.reset' } },
  })
  const [row] = rows.data?.items ?? []
  expectKnown(row?.actor).toBe('sub:ann')
  const audit_id = String(row?.audit_id)
  const found = await api.GET('/realms/{realm}/audit/{audit_id}', {
    params: { path: { realm: 'acme', audit_id } },
  })
  expectKnown(found.data?.outcome).toBe('done')
  const explained = await api.GET('/realms/{realm}/explain/{reference}', {
    params: { path: { realm: 'acme', reference: row?.refs[0] ?? '' } },
  })
  expectKnown(explained.data).toBeDefined()
  await api.PATCH('/realms/{realm}/users/{sub}', {
    params: { path: { realm: 'acme', sub: 'kim' }, query: { overwrite: 'true' } },
    body: { groups: ['staff'] },
    headers: { 'content-type': 'application/merge-patch+json' },
  })
  const updates = await api.GET('/realms/{realm}/audit', {
    params: { path: { realm: 'acme' }, query: { type: 'user.update' } },
  })
  const undone = await api.POST('/realms/{realm}/audit/{audit_id}/undo', {
    params: { path: { realm: 'acme', audit_id: String(updates.data?.items[0]?.audit_id) } },
  })
  expectKnown(undone.data?.changed.length).toBe(1)
  const exported = await api.GET('/realms/{realm}/users/{sub}/export', {
    params: { path: { realm: 'acme', sub: 'kim' } },
  })
  expectKnown(exported.data?.format).toBe('ostiary.personal-data/1')
  const coverage = await api.GET('/realms/{realm}/audit-coverage', { params: { path: { realm: 'acme' } } })
  expectKnown(coverage.data?.complete_since).toBeTypeOf('number')
}

async function realms(api: Api): Promise<void> {
  const one = { params: { path: { realm: 'tenant' } } }
  const body: BodyOf<'realms.put'> = { oidc: { tokens: { access_token: 300 } } }
  const made = await api.PUT('/realms/{realm}', { ...one, body })
  expectKnown(made.data && 'version' in made.data ? made.data.version : null).toBe(1)
  const list = await api.GET('/realms', { params: { query: { limit: '2' } } })
  expectKnown(list.data?.items[0]?.source).toBe('configuration')
  expectKnown(list.data?.next).toEqual(expect.any(String))
  const read = await api.GET('/realms/{realm}', one)
  expectKnown(read.data?.oidc).toEqual(body.oidc)
  expectKnown(read.data?.configuration).toBeNull()
  const changes: BodyOf<'realms.patch'> = { oidc: null }
  const patched = await api.PATCH('/realms/{realm}', {
    params: { path: { realm: 'tenant' }, header: { 'If-Match': read.response.headers.get('etag') ?? '' } },
    body: changes,
    headers: { 'content-type': 'application/merge-patch+json' },
  })
  expectKnown(patched.data?.oidc).toEqual({})
  const deleted = await api.DELETE('/realms/{realm}', {
    params: { path: { realm: 'tenant' }, query: { overwrite: 'true' } },
  })
  expectKnown(deleted.data?.purged_from).toBe((deleted.data?.disabled_at ?? 0) + 604_800)
}

async function simulations(api: Api): Promise<void> {
  const realm = { params: { path: { realm: 'acme' } } }
  const body: BodyOf<'simulate.authorization'> = { client_id: 'ops', parameters: { response_type: 'code' } }
  const asked = await api.POST('/realms/{realm}/simulate/authorization', { ...realm, body })
  expectKnown(asked.data?.result).toBe('refused')
  expectKnown(asked.data?.reason).toBe('missing_code_challenge')
  expectKnown(asked.data?.setting).toBe('client.require_pkce')
  const wanted: BodyOf<'simulate.tokens'> = { client_id: 'ops', sub: 'kim', scopes: ['openid'] }
  const tokens = await api.POST('/realms/{realm}/simulate/tokens', { ...realm, body: wanted })
  expectKnown(tokens.data?.result).toBe('tokens')
  expectKnown(tokens.data?.id_token?.claims[0]?.from).toBe('protocol')
  const typed: BodyOf<'simulate.sign_in'> = { username: 'kim' }
  const signed_in = await api.POST('/realms/{realm}/simulate/sign-in', { ...realm, body: typed })
  expectKnown(signed_in.data?.user?.sub).toBe('kim')
  expectKnown(signed_in.data?.ways[0]?.way).toBe('password')
}

it('every operation is answered as the document says', async () => {
  const executor = await database()
  const { mails: queue } = postgresStores(executor)
  const of = () => ({ mailer: { send: async () => {} }, from: 'id@example.com' })
  const place = await adminPlace({ executor, store: databaseAuditStore(executor), mail: { queue, of } })
  const at = { created_at: place.w.clock.now, next_attempt_at: place.w.clock.now }
  await queue.add({ mail_id: 'a-mail', realm: 'acme', data: 'sealed', attempts: 0, ...at })
  await withDocument(place, 'acme')
  const kim = { realm: 'acme', sub: 'kim' }
  await place.addUser('kim', { password_hash: 'quick:1' })
  await withWays(place, kim, {
    factors: [factor('kim'), factor('kim', 'passkey')],
    links: [link('kim'), { ...link('kim', 'github'), linked_at: 2 }],
  })
  await withTicket(place, kim, 'wait')
  await place.give('sub:ann', 'owner', '*')
  const { access_token } = await place.signIn('ann')
  await place.signIn('eve', { scope: 'offline_access' })
  const { api, seen } = connected(place, access_token)
  await clients(api)
  await users(api)
  await ofClients(api)
  await setUp(api)
  await access(api)
  await waysIn(api)
  await roles(api)
  await keys(api)
  await operating(api)
  await simulations(api)
  await server(api)
  await realms(api)
  const lines = OPERATIONS.map(({ method, path }) => `${method} ${path}`)
  expect([...seen.keys()].sort()).toEqual(lines.sort())
  for (const { method, path, answers } of OPERATIONS)
    expect([path, Object.keys(answers)]).toEqual([
      path,
      expect.arrayContaining([String(seen.get(`${method} ${path}`))]),
    ])
})

it('a dry run has an answer of its own', async () => {
  const place = await adminPlace()
  await place.give('client:deploy', 'owner', '*')
  const { dry } = connected(place, (await place.program()).access_token)
  const { data } = await dry.PATCH('/realms/{realm}/clients/{client_id}', {
    params: {
      path: { realm: 'acme', client_id: 'deploy' },
      query: { dry_run: 'true', overwrite: 'true' },
    },
    body: { client_name: 'Deploy' },
  })
  expectKnown(data?.effects.grants).toBe(0)
  expectKnown(data?.changes[0]?.pointer).toBe('/client_name')
  expect(data?.changes[0]?.to).toBe('Deploy')
  const made = await dry.POST('/realms/{realm}/keys', {
    params: { path: { realm: 'acme' }, query: { dry_run: 'true' } },
    body: {},
  })
  const planned = made.data && 'effects' in made.data ? made.data : undefined
  expectKnown(planned?.effects.keys).toBe(1)
})

it('what the document lacks does not compile', async () => {
  const place = await adminPlace()
  await place.people.users('acme').create(userRecord('bob'))
  const { api } = connected(place, 'none')
  const one = { params: { path: client } }
  // @ts-expect-error no such operation
  await api.POST('/realms/{realm}/clients/{client_id}', one)
  // @ts-expect-error no such parameter
  await api.GET('/realms/{realm}/clients', { params: { path: { realm: 'acme' }, query: { order: 'name' } } })
  // @ts-expect-error no such member
  const body: BodyOf<'clients.put'> = { ...NOTES, client_nam: 'x' }
  await api.PUT('/realms/{realm}/clients/{client_id}', { ...one, body })
  const { data, error } = await api.GET('/realms/{realm}/users/{sub}', { params: { path: user } })
  // @ts-expect-error no such member
  expectKnown(data?.password_hash).toBeUndefined()
  expect(error?.type).toBe('urn:ostiary:problem:unauthorized')
})
