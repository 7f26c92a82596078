/** Limits that all addresses of a realm share: the share of one address, the kinds of clients, and who comes first near the end. */

import { describe, expect, it } from 'vitest'
import { shareOf } from '../src/request/ceiling.ts'
import { authorizeLong as authorizeLongFrom, pushFrom, register as registerFrom } from './counted-requests.js'
import { ON } from './par.js'
import { answer, client, type World, world } from './support.js'

const UNLIMITED = { register: 1_000_000, authorize: 1_000_000 }
const CLIENTS = [
  await client({ client_id: 'operators' }),
  await client({ client_id: 'registered', origin: 'registered' }),
]

interface Refusal {
  status: number
  description: string
  retry_after: string | null
}

const refusalOf = async (response: Response): Promise<Refusal | 'passed'> => {
  if (response.status === 201) return 'passed'
  const { error_description } = await response.json()
  const retry_after = response.headers.get('retry-after')
  return { status: response.status, description: error_description, retry_after }
}

async function start(registrations_per_day: number): Promise<World> {
  const throttle = { ...UNLIMITED, registrations_per_day }
  return world({
    clients: CLIENTS,
    oidc: { ...ON, clients: { registration: { enabled: true } }, throttle },
  })
}

const register = async (w: World, address?: string) => refusalOf(await registerFrom(w, address))

const push = async (w: World, address: string, client_id: string) =>
  refusalOf(await pushFrom(w, address, { client_id }))

const authorizeLong = async (w: World, address: string, client_id: string) => {
  const { to, error, error_description } = answer(await authorizeLongFrom(w, address, client_id))
  return to === `${w.issuer}/login` ? 'passed' : `${error}: ${error_description}`
}

const OWN = (what: string) =>
  `This address has used its share of the ${what} that the realm allows. Try again later.`
const REALM = (what: string) => `The realm has reached its limit of ${what}. Try again later.`
const hits = async (w: World, prefix: string) =>
  (await w.storage('default').throttle.list(prefix, w.clock.now)).map(({ hits }) => hits)

describe('registrations of a day', () => {
  it('an address may use 5% of them, and the answer says so', async () => {
    const w = await start(100)
    for (let n = 0; n < 5; n += 1) expect(await register(w, '192.0.2.1')).toBe('passed')
    const retry_after = String(86_400 - (w.clock.now % 86_400))
    expect(await register(w, '192.0.2.1')).toEqual({
      status: 429,
      description: OWN('registrations a day'),
      retry_after,
    })
    expect(w.events.at(-1)).toMatchObject({ type: 'request.refused', reason: 'share_of_limit' })
    expect(await register(w, '192.0.2.2')).toBe('passed')
    w.clock.now += 86_400
    expect(await register(w, '192.0.2.1')).toBe('passed')
  })

  it('an address that asks all day leaves the rest to others, of which each new one comes first', async () => {
    const w = await start(100)
    for (let n = 0; n < 300; n += 1) await register(w, '192.0.2.1')
    const passed = []
    for (let n = 0; n < 95; n += 1) passed.push(await register(w, `198.51.100.${n}`))
    expect(passed.filter((one) => one === 'passed')).toHaveLength(95)
    expect(await register(w, '203.0.113.1')).toEqual({
      status: 429,
      description: REALM('registrations a day'),
      retry_after: expect.any(String),
    })
    expect(w.events.at(-1)).toMatchObject({ reason: 'realm_limit' })
  })

  it('near the limit, an address that has used some waits for those that have used less', async () => {
    const w = await start(100)
    for (let n = 0; n < 3; n += 1) expect(await register(w, '192.0.2.1')).toBe('passed')
    for (let n = 0; n < 87; n += 1) expect(await register(w, `198.51.100.${n}`)).toBe('passed')
    expect(await register(w, '192.0.2.1')).toMatchObject({
      status: 429,
      description: REALM('registrations a day'),
    })
    expect(await register(w, '192.0.2.2')).toBe('passed')
  })

  it('an IPv6 /48 has the share of one IPv4 address, and a /64 a quarter of it', async () => {
    const w = await start(400)
    const from = async (host: string, count: number) => {
      let passed = 0
      for (let n = 0; n < count; n += 1) if ((await register(w, host)) === 'passed') passed += 1
      return passed
    }
    expect(await from('2001:db8:1:1::1', 10)).toBe(5)
    expect(await from('2001:db8:1:1:ffff::2', 10)).toBe(0)
    for (const net of ['2', '3', '4']) expect(await from(`2001:db8:1:${net}::1`, 5)).toBe(5)
    expect(await from('2001:db8:1:5::1', 1)).toBe(0)
    expect(await from('2001:db8:2:1::1', 1)).toBe(1)
    expect(await from('192.0.2.1', 30)).toBe(20)
  })

  it('a refused request uses nothing', async () => {
    const w = await start(100)
    for (let n = 0; n < 20; n += 1) await register(w, '192.0.2.1')
    expect(await hits(w, 'registrations')).toEqual([5, 5])
  })

  it('beyond the limit, no counter of another address is stored', async () => {
    const w = await start(2)
    for (let n = 1; n < 10; n += 1) await register(w, `192.0.2.${n}`)
    expect(await hits(w, 'registrations share:')).toEqual([1, 1])
  })

  it('without an address only the limit of the realm counts', async () => {
    const w = await start(3)
    for (let n = 0; n < 3; n += 1) expect(await register(w)).toBe('passed')
    expect(await register(w)).toMatchObject({ status: 429, description: REALM('registrations a day') })
    expect(await hits(w, 'registrations')).toEqual([3])
  })
})

describe.each([
  { name: 'par', max: 10_000, share: 500, what: 'pushed authorization requests' },
  { name: 'authorize', max: 4000, share: 200, what: 'authorization requests that are too long for a URL' },
])('$name: stored requests of ten minutes', ({ name, max, share, what }) => {
  const send = async (w: World, address: string, client_id: string) => {
    const answered =
      name === 'par' ? await push(w, address, client_id) : await authorizeLong(w, address, client_id)
    if (answered === 'passed') return answered
    return typeof answered === 'string'
      ? answered
      : { ...answered, retry_after: answered.retry_after !== null }
  }
  const refusal = (status: number, description: string) =>
    name === 'par' ? { status, description, retry_after: true } : `temporarily_unavailable: ${description}`
  const counted = async (w: World, key: string, count: number) => {
    for (let n = 0; n < count; n += 1) await w.storage('default').throttle.hit(key, 600, w.clock.now)
  }

  it.each([
    ['operators', name],
    ['registered', `${name}-others`],
  ])('an address may use 5% of those of the kind of %s', async (client_id, counter) => {
    const w = await start(10)
    await counted(w, `${counter} share:192.0.2.1;`, share - 1)
    expect(await send(w, '192.0.2.1', client_id)).toBe('passed')
    expect(await send(w, '192.0.2.1', client_id)).toEqual(refusal(429, OWN(what)))
    expect(await send(w, '192.0.2.2', client_id)).toBe('passed')
  })

  it.each([
    ['operators', 'registered', `${name}-others`],
    ['registered', 'operators', name],
  ])(
    'clients of the kind of %s are not affected by the limit of the other kind',
    async (free, full, counter) => {
      const w = await start(10)
      await counted(w, counter, max - 1)
      expect(await send(w, '192.0.2.1', full)).toBe('passed')
      expect(await send(w, '192.0.2.2', full)).toEqual(refusal(503, REALM(what)))
      expect(await send(w, '192.0.2.2', free)).toBe('passed')
    },
  )
})

describe('the share', () => {
  it.each([
    [10_000, 1, 500],
    [10_000, 7_501, 500],
    [10_000, 8_751, 250],
    [10_000, 10_000, 1],
    [10, 1, 1],
    [1, 1, 1],
  ])('of %i, of which %i are used, is %i', (max, used, share) => {
    expect(shareOf(max, used, 0.05)).toBe(share)
  })
})
