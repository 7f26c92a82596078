import { referenceOf } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { KEPT } from '../src/index.ts'
import { auditPlace, dataOf, NOW, privateOf, REALM } from './_place.ts'

const REFUSED = { type: 'login.refused', reason: 'wrong_password', client_id: 'app', sub: 'ann-1' }
const request = () => new Request('https://id.example.com/login')

describe('the row of an event', () => {
  it('has who, what, at which client, from where, in which request and in which flow', async () => {
    const { audit, emit, rows } = auditPlace()
    const asked = request()
    await audit.during({ request: asked, request_id: 'r-1', address: '192.0.2.7' }, async () => {
      audit.onFlow(asked, 'flow-of-16-chars')
      emit({
        type: 'session.started',
        sub: 'ann-1',
        sid: 's',
        amr: ['pwd'],
        client_id: 'app',
        request_id: 'r-1',
      })
    })
    const [row] = await rows()
    expect(row).toMatchObject({
      realm: REALM,
      time: NOW,
      type: 'session.started',
      outcome: 'done',
      actor: 'sub:ann-1',
      sub: 'ann-1',
      client_id: 'app',
      flow: 'flow-of-16-chars',
      refs: [referenceOf('r-1')],
      count: 1,
    })
    expect(dataOf(row)).toEqual({ sid: 's', amr: ['pwd'], request_id: 'r-1' })
    expect(privateOf(row)).toEqual({ address: '192.0.2.7' })
  })

  it('knows nothing of a request that has ended, and of an address that only a peer claims', async () => {
    const { audit, emit, rows } = auditPlace()
    await audit.during({ request: request(), request_id: 'r-1', address: '192.0.2.7' }, async () => {})
    emit({ type: 'consent.denied', client_id: 'app', sub: 'ann-1', request_id: 'r-1' })
    await audit.during({ request: request(), request_id: 'r-2', peer: '192.0.2.8' }, async () =>
      emit({ type: 'consent.denied', client_id: 'app', sub: 'ann-1', request_id: 'r-2' }),
    )
    for (const row of await rows()) expect(row).toMatchObject({ private: null, flow: null })
    expect(await rows()).toHaveLength(2)
  })

  it('has an address in the form that is asked for, and no text that a client or a browser chose', async () => {
    const { emit, rows } = auditPlace({ address: () => '192.0.2.0/24' })
    emit({
      type: 'session.started',
      sub: 'ann-1',
      sid: 's',
      amr: [],
      client_id: 'app',
      username: 'Ann',
      user_agent: 'chosen',
      address: '192.0.2.7',
    })
    emit({ type: 'request.refused', client_id: 'app', error: 'x', reason: 'no chosen code', sent: 'chosen' })
    const stored = await rows()
    expect(privateOf(stored[0])).toEqual({ address: '192.0.2.0/24' })
    expect(dataOf(stored[1])).toMatchObject({ reason: 'other' })
    expect(JSON.stringify(stored)).not.toContain('chosen')
  })

  it('has no client_id where what was sent is no client', async () => {
    const { emit, rows } = auditPlace()
    emit({ type: 'client.authentication_failed', client_id: 'a-secret', reason: 'unknown_client' })
    emit({ type: 'client.authentication_failed', client_id: 'app', reason: 'wrong_secret' })
    expect((await rows()).map(({ client_id }) => client_id)).toEqual([null, 'app'])
  })

  it('is made of texts that every database stores', async () => {
    const { emit, rows } = auditPlace()
    emit({ type: 'mail.failed', mail: 'a\0b', sub: 'x\0', attempts: 1, reason: 'r', client_id: '\ud800' })
    const [row] = await rows()
    expect(row).toMatchObject({ sub: null, client_id: null })
    expect(row?.data).not.toContain('\\u0000')
  })

  it('has ids of at most 2,048 characters', async () => {
    const { emit, rows } = auditPlace()
    for (const length of [2048, 2049]) emit({ type: 'client.revoked', client_id: 'x'.repeat(length) })
    expect((await rows()).map(({ client_id }) => client_id?.length)).toEqual([2048, undefined])
  })

  it('is kept by its type: issued tokens only with events: "all"', async () => {
    const issued = { type: 'token.issued', client_id: 'app', sub: 'ann-1', grant_type: 'x', scopes: [] }
    for (const [events, types] of [
      ['security', ['consent.denied']],
      ['all', ['token.issued', 'consent.denied']],
    ] as const) {
      const { emit, rows } = auditPlace({ settings: { keep_days: 1, events } })
      emit(issued)
      emit({ type: 'consent.denied', client_id: 'app', sub: 'ann-1' })
      expect((await rows()).map(({ type }) => type)).toEqual(types)
    }
  })

  it('of each refusal is counted', () => {
    for (const [type, { counted, outcome }] of Object.entries(KEPT))
      if (/\.(?:refused|throttled)$/.test(type) && type !== 'device.refused')
        expect({ type, counted, outcome }).toEqual({ type, counted: true, outcome: 'refused' })
  })
})

describe('of an assertion that has expired', () => {
  const EXPIRED = { type: 'client.authentication_failed', reason: 'assertion_expired', client_id: 'app' }
  const sentAt = (time: number, exp: string | number) => `exp=${exp}, now=${time}`

  it.each([
    [sentAt(NOW, NOW - 60), NOW - 60],
    [sentAt(NOW, `${NOW - 60}.75`), NOW - 60],
    [sentAt(NOW, '9'.repeat(12)), 999_999_999_999],
    [sentAt(NOW, '9'.repeat(13)), undefined],
    [sentAt(NOW, '-1'), undefined],
    [sentAt(NOW, '1e3'), undefined],
    [sentAt(NOW, 'chosen'), undefined],
    [`no exp, now=${NOW}`, undefined],
    [null, undefined],
  ])('%s: the exp is kept as a number, and nothing else of it', async (sent, exp) => {
    const { emit, rows } = auditPlace()
    emit({ ...EXPIRED, sent })
    const [row] = await rows()
    expect(dataOf(row)).toEqual({ reason: 'assertion_expired', ...(exp !== undefined && { exp }) })
  })

  it('has the exp of the event of the client alone, and of no other reason', async () => {
    const { emit, rows } = auditPlace()
    const sent = sentAt(NOW, NOW - 60)
    emit({ ...EXPIRED, type: 'request.refused', sent })
    emit({ ...EXPIRED, reason: 'assertion_lifetime', sent })
    for (const row of await rows()) expect(dataOf(row)).not.toHaveProperty('exp')
  })

  it('has the first exp and the last one of the minute, with the time of the last one', async () => {
    const { emit, rows, at } = auditPlace()
    for (const seconds of [0, 7, 59]) {
      at(seconds)
      emit({ ...EXPIRED, sent: sentAt(NOW + seconds, NOW + seconds - 60), request_id: `r-${seconds}` })
    }
    emit({ ...EXPIRED, sent: 'no exp, now=1' })
    const [row, ...others] = await rows()
    expect(others).toEqual([])
    expect(row).toMatchObject({ time: NOW, count: 4 })
    const last = { last_exp: NOW - 1, last_time: NOW + 59 }
    expect(dataOf(row)).toEqual({ reason: 'assertion_expired', request_id: 'r-0', exp: NOW - 60, ...last })
  })
})

describe('refusals that strangers cause', () => {
  it('are one row a minute for each reason, client, user and address, with their number and references', async () => {
    const { emit, rows, at } = auditPlace()
    const refuse = (n: number, address = '192.0.2.1', more = {}) =>
      emit({ ...REFUSED, address, request_id: `r-${n}`, ...more })
    for (let n = 1; n <= 3; n++) refuse(n)
    refuse(4, '192.0.2.2')
    refuse(5, '192.0.2.1', { reason: 'throttled' })
    refuse(6, '192.0.2.1', { client_id: 'other' })
    await rows()
    at(59)
    refuse(7)
    at(60)
    refuse(8)
    const stored = await rows()
    expect(stored.map(({ count }) => count)).toEqual([4, 1, 1, 1, 1])
    expect(stored[0]).toMatchObject({ outcome: 'refused', actor: 'stranger', sub: 'ann-1' })
    expect(stored[0]?.refs).toEqual([1, 2, 3, 7].map((n) => referenceOf(`r-${n}`)))
  })

  it('name the first 20 requests of a row', async () => {
    const { emit, rows } = auditPlace()
    for (let n = 1; n <= 21; n++) emit({ ...REFUSED, request_id: `r-${n}` })
    const [row] = await rows()
    expect(row?.count).toBe(21)
    expect(row?.refs).toHaveLength(20)
  })

  it('add 60 rows a minute and address, and one that counts the rest; another address has its own', async () => {
    const { emit, rows } = auditPlace()
    const refuse = (n: number, address: string) => emit({ ...REFUSED, client_id: `app-${n}`, address })
    for (let n = 1; n <= 60; n++) refuse(n, '192.0.2.1')
    expect(await rows()).toHaveLength(60)
    for (let n = 61; n <= 63; n++) refuse(n, '192.0.2.1')
    refuse(1, '192.0.2.2')
    const stored = await rows()
    expect(stored).toHaveLength(62)
    expect(stored.find(({ type }) => type === 'audit.dropped')).toMatchObject({ count: 3, time: NOW })
    // One that is alike adds no row.
    refuse(1, '192.0.2.1')
    expect((await rows()).find(({ client_id }) => client_id === 'app-1')?.count).toBe(2)
  })

  it('add 600 rows a minute and realm; another realm has its own', async () => {
    const { emit, rows, store } = auditPlace()
    for (let n = 1; n <= 601; n++) emit({ ...REFUSED, address: `2001:db8::${n}` })
    emit({ ...REFUSED, address: '2001:db8::1', realm: 'other' })
    const stored = await rows()
    expect(stored).toHaveLength(601)
    expect(stored.find(({ type }) => type === 'audit.dropped')?.count).toBe(1)
    expect(await store.page('other', { limit: 10 })).toHaveLength(1)
  })
})
