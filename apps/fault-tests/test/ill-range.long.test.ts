/**
 * One of two PostgreSQL, each with half of the buckets, is stopped under load, and then hangs: its people get 503, the others are served.
 * After its return all is well, without a restart of the server. The settings are the block of docs/run-it.md.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { migrations, postgresExecutor } from '@ostiary/storage-postgres'
import { bucketProxy } from '@ostiary/test-kit/bucket-proxy'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { expect, it, onTestFinished } from 'vitest'
import {
  type Answer,
  authorizeUrl,
  clients,
  codeForm,
  newCode,
  PASSWORD,
  post,
  QUICK_KEYS,
  refreshForm,
  send,
  signIn,
  textOf,
  userinfo,
} from './client.ts'
import { isRefusal } from './outage-load.ts'
import { blockWith } from './page-blocks.ts'
import { processesOf, signal } from './processes.ts'
import { provider } from './provider.ts'
import { report } from './report.ts'
import { ownPostgres, type Service } from './services.ts'

const ILL = 'buckets 2048-4095'
const names = Array.from({ length: 16 }, (_, n) => `user${n}`)
const config = (origin: string) => ({
  app: { url: origin },
  ...JSON.parse(blockWith('"sharded": true')),
  // An answer may be lost with the database; the same token is then presented again.
  oidc: { keys: QUICK_KEYS, tokens: { refresh_token_grace: 60 }, throttle: { authorize: 1_000_000 } },
  clients,
  users: names.map((username) => ({ username, password: PASSWORD })),
})

interface Member {
  half: 0 | 1
  cookie: string
  access_token: string
  refresh_token: string
}

/** Of the tag at the end of the token: 12 bits. */
const bucketOf = (token: string) => Buffer.from(`${token.slice(-2)}AA`, 'base64url').readUInt16BE(0) >> 4

async function member(issuer: string, username: string): Promise<Member> {
  const user = await signIn(issuer, username)
  const { body } = await post(`${issuer}/oauth/token`, codeForm(await newCode(user, issuer)))
  return {
    half: bucketOf(String(body.refresh_token)) < 2048 ? 0 : 1,
    cookie: [...user.cookies].map((pair) => pair.join('=')).join('; '),
    access_token: String(body.access_token),
    refresh_token: String(body.refresh_token),
  }
}

interface Group {
  served: number
  /** How long each answer has taken: milliseconds. */
  times: number[]
  unavailable: number
  faults: string[]
  stop(): Promise<void>
}

/** Each of them works until it is stopped. */
function startGroup(issuer: string, members: Member[]): Group {
  const group: Group = { served: 0, times: [], unavailable: 0, faults: [], stop: async () => {} }
  let stopping = false
  const ask = async (request: Promise<Answer>, isRight: (answer: Answer) => boolean) => {
    const began = performance.now()
    const answer = await request
    group.times.push(performance.now() - began)
    if (isRight(answer)) group.served += 1
    else if (isRefusal(answer) || redirectError(answer) === 'temporarily_unavailable') {
      group.unavailable += 1
      await pause(20)
    } else
      group.faults.push(`${answer.status} ${answer.headers.get('location')} ${JSON.stringify(answer.body)}`)
    return answer
  }
  const is200 = ({ status }: Answer) => status === 200
  const work = async (one: Member) => {
    while (!stopping) {
      const refreshed = await ask(post(`${issuer}/oauth/token`, refreshForm(one.refresh_token)), is200)
      if (is200(refreshed)) one.refresh_token = textOf(refreshed, 'refresh_token')
      await ask(userinfo(issuer, one.access_token), is200)
      await ask(send(authorizeUrl(issuer), { headers: { cookie: one.cookie } }), hasCode)
      await pause(50)
    }
  }
  const working = Promise.all(members.map(work))
  group.stop = async () => {
    stopping = true
    await working
  }
  return group
}

const redirected = ({ headers }: Answer) => new URL(headers.get('location') ?? 'none:').searchParams
const redirectError = (answer: Answer) => redirected(answer).get('error')
const hasCode = (answer: Answer) => redirected(answer).has('code')

const median = (times: readonly number[]): number =>
  Math.round(10 * ([...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0)) / 10

async function halves(): Promise<[Service, Service]> {
  const services: [Service, Service] = [await ownPostgres(), await ownPostgres()]
  for (const { url } of services) {
    const executor = postgresExecutor(url, UNLIMITED)
    await migrations(executor).setUp()
    await executor.close()
  }
  return services
}

it('its people get 503, the others are served, and all is well after its return', async () => {
  const [home, other] = await halves()
  const DATABASE_URL = await bucketProxy(onTestFinished, [home.url, other.url])
  const { origin } = await provider({ config, env: { DATABASE_URL } })
  const members = await Promise.all(names.map((name) => member(origin, name)))
  const [well, ill] = ([0, 1] as const).map((half) =>
    startGroup(
      origin,
      members.filter((one) => one.half === half),
    ),
  ) as [Group, Group]
  const ready = async () => {
    const { status, body } = await send(`${origin}/readyz`)
    return { status, degraded: body.degraded }
  }
  const rates: Record<string, number> = {}
  const medians: Record<string, number> = {}

  /** Until both groups have got answers of this kind, and the healthy one many; it never gets a refusal. */
  async function phase(name: string, of_ill: 'served' | 'unavailable', degraded: string[]): Promise<void> {
    const [served, answered] = [well.served, ill[of_ill]]
    const began = performance.now()
    well.times.length = 0
    await eventually(() => ill[of_ill] >= answered + 60, { seconds: 180 })
    await eventually(() => well.served >= served + 600, { seconds: 180 })
    rates[name] = Math.round((well.served - served) / ((performance.now() - began) / 1000))
    medians[name] = median(well.times)
    await eventually(async () => expect(await ready()).toEqual({ status: 200, degraded }))
    expect({ faults: [...well.faults, ...ill.faults], refused: well.unavailable }).toEqual({
      faults: [],
      refused: 0,
    })
  }

  await phase('both work', 'served', [])
  await other.pause()
  await phase('one is stopped', 'unavailable', [ILL])
  await other.resume()
  await phase('it is back', 'served', [])
  const admin = postgresExecutor(other.url, UNLIMITED)
  onTestFinished(() => admin.close(0))
  const processes = await processesOf(admin)
  onTestFinished(() => signal(processes, 'SIGCONT'))
  signal(processes, 'SIGSTOP')
  await phase('one hangs', 'unavailable', [ILL])
  signal(processes, 'SIGCONT')
  await phase('it goes on', 'served', [])
  await Promise.all([well.stop(), ill.stop()])
  report('Answers a second to the people of the healthy PostgreSQL', rates)
  report('Median of their time in milliseconds', medians)
})
