/** Back-channel logouts beside receivers that never answer: how soon all others are told. */

import { ownDatabase } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { person } from '@ostiary/test-kit/person'
import { expect, it } from 'vitest'
import {
  authorizeUrl,
  CALLBACK,
  codeForm,
  newCode,
  PASSWORD,
  post,
  QUICK_KEYS,
  textOf,
  users,
} from './client.ts'
import { type Provider, provider } from './provider.ts'
import { type Receiver, receiver } from './receiver.ts'
import { report } from './report.ts'

const CLIENTS = 1000
const HANGING = 10
const REALMS = 30
const PEOPLE = 12
const CLIENTS_OF_EACH = 5
/** Deliveries of one realm that run at first. */
const PLACES_OF_A_REALM = 25

const clientAt = (client_id: string, { uri }: Receiver) => ({
  client_id,
  redirect_uris: [CALLBACK],
  post_logout_redirect_uris: [CALLBACK],
  trusted: true,
  backchannel_logout_uri: uri(client_id),
})
const receivers = (count: number) => Promise.all(Array.from({ length: count }, () => receiver()))

/** A user who signs in to these clients. @returns The session's id, and a function that signs out. */
async function signedInAt(
  { origin }: Provider,
  issuer: string,
  { client_ids, username = users[0]?.username ?? '' }: { client_ids: string[]; username?: string },
) {
  const [first = ''] = client_ids
  const ann = person(origin)
  const page = await ann.open(authorizeUrl(issuer, { client_id: first }))
  await ann.submit(page, { username, password: PASSWORD })
  for (const client_id of client_ids) await newCode(ann, issuer, { client_id })
  const code = await newCode(ann, issuer, { client_id: first })
  const answer = await post(`${issuer}/oauth/token`, codeForm(code, { client_id: first }))
  const id_token_hint = textOf(answer, 'id_token')
  const { sid } = JSON.parse(Buffer.from(id_token_hint.split('.')[1] ?? '', 'base64url').toString())
  const query = new URLSearchParams({ id_token_hint, post_logout_redirect_uri: CALLBACK })
  const signOut = async () =>
    expect((await ann.open(`${issuer}/oauth/logout?${query}`)).url.href).toBe(CALLBACK)
  return { sid: String(sid), signOut }
}

it('1,000 clients, of which 10 never answer: all others are told', async () => {
  const [healthy, ...hanging] = await receivers(1 + HANGING)
  if (!healthy) throw new Error('no receiver')
  for (const { mood } of hanging) mood('hang')
  const ids = Array.from({ length: CLIENTS }, (_, n) => `client-${n}`)
  // Every hundredth client hangs.
  const receiverOf = (n: number) =>
    (n % (CLIENTS / HANGING) === 0 ? hanging[n / (CLIENTS / HANGING)] : healthy) ?? healthy
  const clients = ids.map((id, n) => clientAt(id, receiverOf(n)))
  const server = await provider({
    config: (origin) => ({ app: { url: origin }, oidc: { keys: QUICK_KEYS }, clients, users }),
    env: { DATABASE_URL: await ownDatabase() },
  })
  const { sid, signOut } = await signedInAt(server, server.origin, { client_ids: ids })
  await signOut()
  const began = performance.now()
  const told = () => ids.filter((id, n) => receiverOf(n).confirmed(sid, id) > 0).length
  await eventually(() => told() === CLIENTS - HANGING, { seconds: 120 })
  const seconds = Number(((performance.now() - began) / 1000).toFixed(1))
  const twice = ids.filter((id, n) => receiverOf(n).confirmed(sid, id) > 1).length
  const asked = ids.filter((id, n) => receiverOf(n) !== healthy && receiverOf(n).read(sid, id) > 0).length
  report('1,000 clients with 10 hanging receivers', { told: told(), twice, hanging_asked: asked, seconds })
  expect(twice).toBe(0)
})

it('30 realms with a receiver each that never answers: the 31st realm is told', async () => {
  const [healthy, ...hanging] = await receivers(1 + REALMS)
  if (!healthy) throw new Error('no receiver')
  for (const { mood } of hanging) mood('hang')
  const all = [...hanging, healthy]
  const ids = all.map((_, n) => `realm-${n}`)
  const server = await provider({
    config: (origin) => ({
      app: { url: origin },
      oidc: {
        keys: QUICK_KEYS,
        routes: { realms: 'path' },
        realms: Object.fromEntries(ids.map((id) => [id, {}])),
      },
      realms: Object.fromEntries(all.map((at, n) => [ids[n], { clients: [clientAt('app', at)], users }])),
    }),
    env: { DATABASE_URL: await ownDatabase() },
  })
  const sessions: Awaited<ReturnType<typeof signedInAt>>[] = []
  for (const id of ids)
    sessions.push(await signedInAt(server, `${server.origin}/realms/${id}`, { client_ids: ['app'] }))
  const last = sessions.at(-1)
  for (const { signOut } of sessions.slice(0, -1)) await signOut()
  const asked = () => hanging.filter(({ read }, n) => read(sessions[n]?.sid ?? '', 'app') > 0).length
  await eventually(() => asked() === REALMS)
  await last?.signOut()
  const began = performance.now()
  await eventually(() => healthy.confirmed(last?.sid ?? '', 'app') > 0)
  const seconds = Number(((performance.now() - began) / 1000).toFixed(1))
  report('30 realms with a hanging receiver each', { hanging_asked: asked(), seconds_for_the_31st: seconds })
})

it('a realm whose receivers all hang: another realm is told', async () => {
  const [healthy, ...hanging] = await receivers(1 + PEOPLE * CLIENTS_OF_EACH)
  if (!healthy) throw new Error('no receiver')
  for (const { mood } of hanging) mood('hang')
  const people = Array.from({ length: PEOPLE }, (_, n) => ({ username: `user-${n}`, password: PASSWORD }))
  const clients = hanging.map((at, n) => clientAt(`client-${n}`, at))
  const server = await provider({
    config: (origin) => ({
      app: { url: origin },
      oidc: { keys: QUICK_KEYS, routes: { realms: 'path' }, realms: { hanging: {}, healthy: {} } },
      realms: {
        hanging: { clients, users: people },
        healthy: { clients: [clientAt('app', healthy)], users },
      },
    }),
    env: { DATABASE_URL: await ownDatabase() },
  })
  const idsOf = (person: number) =>
    clients.slice(person * CLIENTS_OF_EACH, (person + 1) * CLIENTS_OF_EACH).map(({ client_id }) => client_id)
  const sessions: Awaited<ReturnType<typeof signedInAt>>[] = []
  for (const [n, { username }] of people.entries()) {
    const choice = { client_ids: idsOf(n), username }
    sessions.push(await signedInAt(server, `${server.origin}/realms/hanging`, choice))
  }
  const last = await signedInAt(server, `${server.origin}/realms/healthy`, { client_ids: ['app'] })
  for (const { signOut } of sessions) await signOut()
  const asked = () =>
    hanging.filter(({ read }, n) => {
      const { sid = '' } = sessions[Math.floor(n / CLIENTS_OF_EACH)] ?? {}
      return read(sid, `client-${n}`) > 0
    }).length
  await eventually(() => asked() >= PLACES_OF_A_REALM)
  await last.signOut()
  const began = performance.now()
  await eventually(() => healthy.confirmed(last.sid, 'app') > 0)
  const seconds = Number(((performance.now() - began) / 1000).toFixed(1))
  report(`a realm with ${hanging.length} hanging receivers`, {
    hanging_asked: asked(),
    seconds_for_the_other: seconds,
  })
})
