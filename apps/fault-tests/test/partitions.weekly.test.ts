/** On a database whose tables of people are in 16 partitions: a server that is killed, and races between two servers over all buckets. */

import { createHash } from 'node:crypto'
import { postgresExecutor, postgresStores } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { PARTITIONS } from '@ostiary/test-kit/partitions'
import { expect, it, onTestFinished } from 'vitest'
import { type Answer, CALLBACK, codeForm, post, refreshForm, textOf } from './client.ts'
import { killUnderLoad } from './kills.ts'
import { broken, NOTHING_BROKEN } from './ledger.ts'
import { partitionedDatabase } from './partitioned.ts'
import { provider } from './provider.ts'
import { report } from './report.ts'
import { serverPair } from './server-pair.ts'
import { config, NOTHING_TWICE, sites } from './two-realms.ts'

const KILLS = 5

it(`${KILLS} times SIGKILL: no code or refresh token succeeds twice, and none that was issued is unknown`, async () => {
  const DATABASE_URL = await partitionedDatabase()
  const server = await provider({ config, env: { DATABASE_URL } })
  const { ledger, counts } = await killUnderLoad(server, await sites(server, 3), KILLS)
  const database = postgresExecutor(DATABASE_URL, UNLIMITED)
  onTestFinished(() => database.close())
  const found = await broken(database, ledger)
  report('SIGKILL under load on 16 partitions', { ...counts, ...found })
  expect(ledger.faults).toEqual([])
  expect(counts).toMatchObject({ kills: KILLS, ...NOTHING_TWICE })
  expect(found).toEqual(NOTHING_BROKEN)
})

/** Each has a code that is redeemed by all callers, and one whose refresh token is rotated by all of them. */
const PEOPLE = Number(process.env.OSTIARY_PEOPLE) || 100
const CALLERS = 20
/** People whose callers run at the same time. */
const AT_ONCE = 10

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')
/** What core makes of the secret of a person. */
const secretOf = (sub: string, about: string) => sha256(`${about} ${sub}`) + sha256(sub).slice(0, 2)
const hashOf = (secret: string) => sha256(secret) + secret.slice(-2)
/** The challenge of the verifier of `codeForm`. */
const CHALLENGE = sha256(codeForm('').code_verifier)

const subs = Array.from({ length: PEOPLE }, (_, n) => `person-${n}`)
const KINDS = ['redeemed', 'rotated'] as const

/** Stores people with their grants and codes. */
async function fill(url: string): Promise<void> {
  const executor = postgresExecutor(url, UNLIMITED)
  const { users, storage } = postgresStores(executor)
  const { grants } = storage('default')
  const now = Math.floor(Date.now() / 1000)
  const times = { created_at: now, expires_at: now + 86_400 }
  for (const sub of subs) {
    const names = { sub, username: sub, username_key: sub, password_hash: null, claims: {} }
    const dates = { created_at: now, updated_at: now, disabled_at: null }
    const credentials = { credential_version: 0, second_step: false }
    await users('default').create({ ...names, ...dates, ...credentials, attributes: null, groups: null })
    for (const kind of KINDS) {
      const grant_id = secretOf(sub, `grant ${kind}`)
      const login = { auth_time: now, amr: ['pwd'], acr: null, client_auth: null, jkt: null }
      const access = { client_id: 'app', scopes: ['openid'], resource: null, offline: true, revoked_at: null }
      const sid = secretOf(sub, 'sid')
      const challenge = { code_challenge: CHALLENGE, nonce: null, dpop_jkt: null }
      const place = { redirect_uri: CALLBACK, redirect_uri_sent: true, redeemed_at: null }
      const code_hash = hashOf(secretOf(sub, kind))
      await grants.create(
        { ...times, ...login, ...access, grant_id, sub, sid },
        { ...challenge, ...place, code_hash, grant_id, expires_at: now + 86_400 },
      )
    }
  }
  await executor.close()
}

it('of 20 redemptions and of 20 rotations over two servers one wins, for each person, and nothing is lost', async () => {
  const DATABASE_URL = await partitionedDatabase()
  await fill(DATABASE_URL)
  const { origins } = await serverPair({ DATABASE_URL }, { tokens: { refresh_token_grace: 0 } })
  const token = (caller: number, form: Record<string, string>) =>
    post(`${origins[caller % 2]}/oauth/token`, form)
  const race = async (form: Record<string, string>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: CALLERS }, (_, caller) => token(caller, form)))
  const outcomes = { redeemed: 0, rotated: 0, others: 0 }
  const count = (kind: (typeof KINDS)[number], answers: Answer[]) => {
    const won = answers.filter(({ status }) => status === 200)
    const lost = answers.filter(({ status, body }) => status === 400 && body.error === 'invalid_grant')
    if (won.length === 1) outcomes[kind] += 1
    outcomes.others += answers.length - won.length - lost.length
  }
  const raceOf = async (sub: string, number: number) => {
    count('redeemed', await race(codeForm(secretOf(sub, 'redeemed'))))
    const first = await token(number, codeForm(secretOf(sub, 'rotated')))
    count('rotated', await race(refreshForm(textOf(first, 'refresh_token'))))
  }
  for (let from = 0; from < PEOPLE; from += AT_ONCE)
    await Promise.all(subs.slice(from, from + AT_ONCE).map((sub, n) => raceOf(sub, n)))

  const database = postgresExecutor(DATABASE_URL, UNLIMITED)
  onTestFinished(() => database.close())
  const [stored] = await database.query<Record<string, number>>(`
    select (select count(*)::int from oidc_grants) as grants,
      (select count(*)::int from oidc_authorization_codes where redeemed_at is not null) as codes_spent,
      (select count(*)::int from oidc_refresh_tokens) as refresh_tokens,
      (select count(distinct tableoid)::int from oidc_grants) as partitions,
      (select count(distinct bucket)::int from oidc_grants) as buckets`)
  report('Races over two servers', { people: PEOPLE, ...outcomes, ...stored })
  expect(outcomes).toEqual({ redeemed: PEOPLE, rotated: PEOPLE, others: 0 })
  expect(stored).toMatchObject({ grants: 2 * PEOPLE, codes_spent: 2 * PEOPLE, partitions: PARTITIONS })
  // One of each race of redemptions; the first one and its successor of each race of rotations.
  expect(stored?.refresh_tokens).toBe(3 * PEOPLE)
})
