/** Requests that are made from the schemas of the operations, and others: none fails. */

import { type Executor, postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { expect, it, onTestFinished } from 'vitest'
import { OPERATIONS } from './_operations.ts'
import { adminPlace } from './_place.ts'

const LONG = process.env.OSTIARY_LONG === '1'
/** A key takes a second of a busy machine. */
const MAX_KEYS = LONG ? 20 : 4

/** A generator of numbers from 0 to below 1, the same in each run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const TEXTS = [
  '',
  'deploy',
  'ann',
  "'; drop table oidc_clients; --",
  '*',
  '\0',
  '\ud800',
  '../../..',
  'https://a.example.com/cb',
  'é'.repeat(300),
  'x'.repeat(10_000),
  '__proto__',
  'constructor',
  '%',
  '{}',
]

const IDS = ['deploy', 'ann', 'eve', 'users', 'owner', 'new-1', 'new-2', 'new-3', 'new-4']

/** With these alone, most bodies are valid. */
const VALID = { redirect_uris: ['https://a.example.com/cb'], username: 'eve', realms: ['acme'] }

async function database(): Promise<Executor> {
  const executor = postgresExecutor(await migratedDatabase(), UNLIMITED)
  onTestFinished(() => executor.close())
  return executor
}

/** Parameters that are valid, so that some requests reach what is behind them. */
const VALID_PARAMETERS: Record<string, string> = {
  dry_run: 'true',
  overwrite: 'true',
  limit: '7',
  username: 'eve',
}

it.each([
  ['in memory', LONG ? 20_000 : 1000, async () => adminPlace()],
  ['in PostgreSQL', LONG ? 4000 : 300, async () => adminPlace({ executor: await database() })],
] as const)('%s: none of %i requests is answered with 5xx', { timeout: 900_000 }, async (_, rounds, open) => {
  const place = await open()
  await place.give('sub:boss', 'owner', '*')
  const { access_token } = await place.signIn('boss')
  const random = numbers(20_261_129)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const value = (depth = 0): unknown => {
    const kind = Math.floor(random() * (depth > 3 ? 5 : 7))
    if (kind === 0) return null
    if (kind === 1) return random() > 0.5
    if (kind === 2) return pick([0, -1, 1.5, 1e308, 2 ** 53, 300])
    if (kind <= 4) return pick(TEXTS)
    if (kind === 5) return Array.from({ length: Math.floor(random() * 4) }, () => value(depth + 1))
    return Object.fromEntries(Array.from({ length: 3 }, () => [pick(TEXTS), value(depth + 1)]))
  }
  /** The members of the schema, with any values. */
  const bodyOf = (schema: unknown): unknown => {
    const { shape = {} } = schema as { shape?: Record<string, unknown> }
    const names = Object.keys(shape).filter(() => random() > 0.6)
    const body = Object.fromEntries(names.map((name) => [name, value()]))
    for (const [name, valid] of Object.entries(VALID)) if (name in shape && random() > 0.2) body[name] = valid
    if (random() > 0.5) return Object.fromEntries(Object.entries(body).filter(([name]) => name in VALID))
    return random() > 0.1 ? body : value()
  }
  const seen = new Map<number, number>()
  let keys = 0
  for (let round = 0; round < rounds; round += 1) {
    if (round % 500 === 0) await place.w.storage('acme').throttle.reset('admin:')
    const { id, method, path, query, body } = pick(OPERATIONS)
    if (id === 'keys.rotate') keys += 1
    if (id === 'keys.rotate' && keys > MAX_KEYS) continue
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      name === 'realm' && random() > 0.1 ? 'acme' : safePart(random() > 0.5 ? pick(TEXTS) : pick(IDS)),
    )
    const names = [...Object.keys(query?.shape ?? {}), 'other']
    const search = names
      .filter(() => random() > 0.8)
      .map((name) => `${name}=${safePart(random() > 0.5 ? pick(TEXTS) : (VALID_PARAMETERS[name] ?? 'x'))}`)
    const headers = random() > 0.5 ? { 'if-match': pick(['*', '"x"', 'W/"x"', ',']) } : undefined
    const { status } = await place.call(access_token, `${method} ${filled}?${search.join('&')}`, {
      ...(body && { body: bodyOf(body) }),
      ...(headers && { headers }),
    })
    seen.set(status, (seen.get(status) ?? 0) + 1)
    expect({ method, filled, search, status, failures: place.failures }).toMatchObject({ failures: [] })
    expect(status).toBeLessThan(500)
  }
  expect(seen.has(401)).toBe(false)
  for (const status of [200, 400, 404]) expect([status, seen.has(status)]).toEqual([status, true])
  // Others too, such as 201, 409, 412 and 428: the requests reach what is behind the schemas.
  expect(seen.size).toBeGreaterThan(4)
})

/** Percent-encoded, half of a surrogate pair as its bytes. */
function safePart(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    return '%ED%A0%80'
  }
}
