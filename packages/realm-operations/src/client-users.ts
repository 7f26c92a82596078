/**
 * The users of a client: who has consented to it, and who has grants of it. No index has the users of a client. So a page looks at the next
 * users of the realm, in the order of their ids, and finds by index what each of them has of the client: its work does not grow with the
 * realm.
 */

import * as z from 'zod'
import { EPOCH, PAGE, pageOf, pageOfList } from './lists.js'
import { operation, type QueryRunner, type RealmCall } from './operation.js'
import { notFound } from './operation-error.js'

/** Users that a page looks at with one statement. */
const MAX_IN_DATABASE = 1000
/** Users that it looks at with statements for each of them. */
const MAX_ONE_BY_ONE = 100
/** Of them, those whose records are read at the same time. */
const AT_ONCE = 10

/** What a user has of the client. */
interface ClientUser {
  sub: string
  /** Since when a consent is stored; null without one. */
  consented_at: number | null
  grants: number
}

type Read = Promise<{ users: ClientUser[]; is_end: boolean }>

const USERS = `
  with page as materialized (
    select sub, bucket from oidc_users where realm = $1 and sub > $2 and username <> '' order by sub limit ${MAX_IN_DATABASE}
  )
  select page.sub, consented_at, grants from page, lateral (
    select min(created_at) as consented_at from oidc_consents
    where realm = $1 and bucket = page.bucket and sub = page.sub and client_id = $3 and revoked_at is null
  ) as of_consents, lateral (
    select count(*)::int as grants from oidc_grants
    where realm = $1 and bucket = page.bucket and sub = page.sub and client_id = $3 and revoked_at is null and expires_at > $4
  ) as of_grants
  order by page.sub`

async function inDatabase({ realm, now }: RealmCall, records: QueryRunner, from: From): Read {
  const users = await records.query<ClientUser>(USERS, [realm, from.after, from.client_id, now])
  return { users, is_end: users.length < MAX_IN_DATABASE }
}

interface From {
  client_id: string
  after: string
}

async function oneByOne({ users, management }: RealmCall, { client_id, after }: From): Read {
  const page = await users.list({ ...(after !== '' && { after }), limit: MAX_ONE_BY_ONE })
  const found: ClientUser[] = []
  for (let start = 0; start < page.length; start += AT_ONCE) {
    const read = page.slice(start, start + AT_ONCE).map(async ({ sub }): Promise<ClientUser> => {
      const [consents, grants] = await Promise.all([
        management.consents.list(sub),
        management.grants.list(sub),
      ])
      const given = consents.filter(
        (consent) => consent.client_id === client_id && consent.revoked_at === null,
      )
      const times = given.map(({ created_at }) => created_at)
      return {
        sub,
        consented_at: times.length === 0 ? null : Math.min(...times),
        grants: grants.filter((grant) => grant.client_id === client_id).length,
      }
    })
    found.push(...(await Promise.all(read)))
  }
  return { users: found, is_end: page.length < MAX_ONE_BY_ONE }
}

const shownUser = z.object({
  sub: z.string(),
  consented_at: EPOCH.nullable().describe('The oldest consent that is not withdrawn; null without one'),
  grants: z.int().describe('Those that have not ended'),
})

export const CLIENT_USERS = [
  operation({
    id: 'clients.users',
    method: 'GET',
    path: '/clients/{client_id}/users',
    summary: 'List who has consented to a client, and who has grants of it; a page may be short, or empty',
    area: 'consents',
    access: 'read',
    also: () => 'sessions',
    query: z.strictObject(PAGE),
    answers: { 200: pageOf(shownUser) },
    async run(call, { query }) {
      const { client_id = '' } = call.params
      if ((await call.management.clients.find(client_id)) === null) throw notFound()
      const { records } = await call.parts()
      const page = await pageOfList(call, {
        list: 'users of a client',
        filter: { client_id },
        query,
        async read(after) {
          const from = { client_id, after }
          const { users, is_end } =
            records === null || records === 'divided'
              ? await oneByOne(call, from)
              : await inDatabase(call, records, from)
          const found = users.filter(({ consented_at, grants }) => consented_at !== null || grants > 0)
          return { found, reached: is_end ? null : (users.at(-1)?.sub ?? null) }
        },
        idOf: ({ sub }) => sub,
      })
      return { body: page }
    },
  }),
]
