/** A server on a Redis that fails over, with clients at work in each of its realms. */

import { postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { expect, onTestFinished } from 'vitest'
import { backend, codeForm, newCode, post, signIn, textOf } from './client.ts'
import { broken, grantsLost, NOTHING_BROKEN, newLedger } from './ledger.ts'
import { KINDS, newTally, startClients } from './outage-load.ts'
import { provider } from './provider.ts'
import { newRealmTally, type RealmTally, redisConfig, startRealm } from './redis-load.ts'
import { report } from './report.ts'
import { ownPostgres } from './services.ts'

export interface Outage {
  begin(): Promise<void>
  /** Whether another master accepts writes. */
  isOver(): Promise<boolean>
}

/** Seconds until the realms are served again. */
export interface Duration {
  since_the_kill: number
  since_the_new_master: number
}

export interface Drill {
  realms: RealmTally[]
  /** Resolves when each of these has been served three times more. */
  served(realms?: RealmTally[]): Promise<void>
  /** Begins an outage, and measures until these realms are served again after their first 503. */
  outage(realms: RealmTally[], outage: Outage): Promise<Duration>
  /** Ends the load, and requires that nothing is broken. */
  finish(name: string, counts: Record<string, unknown>): Promise<void>
}

export async function startDrill(
  realms: string[],
  { REDIS_URL, sessions }: { REDIS_URL: string; sessions: string },
): Promise<Drill> {
  const postgres = await ownPostgres()
  const env = { DATABASE_URL: postgres.url, REDIS_URL, OSTIARY_SESSIONS: sessions }
  const server = await provider({ config: redisConfig(realms), env })
  const tallies = realms.map((realm) => newRealmTally(`${server.origin}/realms/${realm}`))
  const loads = tallies.map(startRealm)
  // Grants and tokens of one realm: they are in PostgreSQL.
  const { issuer } = tallies[0] as RealmTally
  const tally = newTally()
  const ledger = newLedger()
  const ann = await signIn(issuer)
  const own = codeForm(await newCode(ann, issuer, { client_id: 'backend' }), backend)
  const access_token = textOf(await post(`${issuer}/oauth/token`, own), 'access_token')
  const cookies = async () => {
    const person = await eventually(() => signIn(issuer))
    return [...person.cookies].map((pair) => pair.join('=')).join('; ')
  }
  // They need no Redis: a few requests a second show that.
  const load = { pause_ms: 100, tally, ledger, access_token, held: [], signIn: cookies }
  const tokens = startClients(issuer, load)
  const failed = Promise.race([tokens.working, ...loads.map(({ working }) => working)]).then(() => {})
  const until = (reached: () => boolean) => Promise.race([eventually(() => reached() || hasFault()), failed])
  const hasFault = () => [ledger, ...tallies].some(({ faults }) => faults.length > 0)
  const served = async (which = tallies) => {
    const goals = which.map((realm) => realm.served + 3)
    await until(() => which.every((realm, n) => realm.served >= (goals[n] ?? 0)))
  }
  // Every client is at work.
  await until(() => KINDS.every((kind) => tally.served[kind] > 0))
  await served()
  return {
    realms: tallies,
    served,
    async outage(which, { begin, isOver }) {
      const before = which.map(({ unavailable }) => unavailable)
      const killed = performance.now()
      await begin()
      await until(() => which.every(({ unavailable }, n) => unavailable > (before[n] ?? 0)))
      const promoted = eventually(isOver).then(() => performance.now())
      await served(which)
      const duration = {
        since_the_kill: secondsSince(killed),
        since_the_new_master: secondsSince(await promoted),
      }
      return duration
    },
    async finish(name, counts) {
      for (const load of [...loads, tokens]) await load.stop()
      const database = postgresExecutor(postgres.url, UNLIMITED)
      onTestFinished(() => database.close())
      const found = await broken(database, ledger)
      const grants_lost = await grantsLost(database, ledger)
      const sum = (key: keyof Omit<RealmTally, 'issuer' | 'faults'>) =>
        tallies.reduce((total, realm) => total + realm[key], 0)
      const faults = [ledger, ...tallies].flatMap((each) => each.faults)
      const slowest_ms = Math.max(...tallies.map((realm) => realm.slowest_ms))
      report(name, {
        ...counts,
        consents_and_registrations: sum('served'),
        answered_503: sum('unavailable'),
        tokens_served: tally.served,
        tokens_answered_503: tally.unavailable,
        other_errors: faults.length,
        codes_lost: tally.codes_lost,
        forms_forgotten: sum('forms_forgotten'),
        forms_uncertain: sum('forms_uncertain'),
        forms_accepted_twice: sum('forms_accepted_twice'),
        sessions_forgotten: sum('sessions_forgotten') + tally.sign_ins,
        codes_redeemed_twice: [...ledger.redeemed.values()].filter((times) => times > 1).length,
        ...found,
        grants_lost,
        slowest_ms,
      })
      expect(faults).toEqual([])
      expect(found).toEqual(NOTHING_BROKEN)
      expect([grants_lost, sum('forms_accepted_twice')]).toEqual([0, 0])
    },
  }
}

const secondsSince = (began: number): number => Math.round((performance.now() - began) / 100) / 10
