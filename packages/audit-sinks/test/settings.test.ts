import { withSuggestion } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import {
  CLIENT_STORE,
  FACTORS,
  LINKS,
  MANAGEMENT,
  REMEMBERED_DEVICES,
  THROTTLE,
  TICKETS,
  USERS,
} from '../../audit/src/rules.js'
import { createSinks, memorySinkStore, type SinkSettings, sinkFaults, sinkId } from '../src/index.ts'
import { CHANGE_TYPES } from '../src/row-types.ts'
import { SECRET, sinkPlace, webhook } from './_place.ts'

const URL_ = 'https://siem.example.com/ostiary'
const faultsOf = (...sinks: SinkSettings[]) =>
  sinkFaults(sinks, { keeps_all: false, suggest: withSuggestion }).map(({ path, message, meant }) =>
    [path, message, meant].filter(Boolean).join(' | '),
  )
const of = (more: Partial<SinkSettings>) => faultsOf(webhook(URL_, { allow_private: false, ...more }))
const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`

describe('a sink', () => {
  it('without a fault', () => {
    expect(of({})).toEqual([])
    expect(of({ events: ['login.refused', 'client.', 'user.delete', 'audit.dropped'] })).toEqual([])
    expect(faultsOf({ url: URL_, format: 'set' })).toEqual([])
    expect(of({ url: 'http://localhost:8080/x', allow_private: true })).toEqual([])
    expect(of({ url: 'http://[::1]/x', allow_private: true })).toEqual([])
    expect(of({ url: 'https://siem.internal/x?key=1', allow_private: true })).toEqual([])
  })

  it.each([
    ['http://siem.example.com/', 'give an https URL'],
    ['ftp://localhost/', 'give an https URL'],
    ['siem.example.com', 'give an https URL'],
    ['', 'give an https URL'],
    [
      'http://localhost/',
      'http is for a receiver on this machine: give an https URL, or set allow_private to true',
    ],
    ['https://user:secret@siem.example.com/', 'it has a user or a password'],
    ['https://user@siem.example.com/', 'it has a user or a password'],
    ['https://siem.example.com/#x', 'it has a fragment'],
    ['https://siem.example.com/#', 'it has a fragment'],
  ])('url %j: %s', (url, text) => expect(of({ url })).toEqual([expect.stringContaining(`0.url | ${text}`)]))

  it('http to a private name stays refused with allow_private', () => {
    for (const url of ['http://siem.internal/', 'http://10.0.0.1/', 'http://169.254.169.254/latest'])
      expect(of({ url, allow_private: true })).toEqual([expect.stringContaining('give an https URL')])
  })

  it('a url has at most 2,048 characters', () => {
    const long = (length: number) => URL_.padEnd(length, 'x')
    expect(of({ url: long(2048) })).toEqual([])
    expect(of({ url: long(2049) })).toEqual([expect.stringContaining('2049 characters: give at most 2048')])
  })

  it('a secret has 24 to 64 bytes', () => {
    for (const bytes of [24, 64]) expect(of({ secret: secretOf(bytes) })).toEqual([])
    for (const bytes of [23, 65])
      expect(of({ secret: secretOf(bytes) })).toEqual([
        expect.stringContaining(`it has ${bytes} bytes, and needs 24 to 64`),
      ])
  })

  it.each([
    [undefined, 'format json needs one'],
    ['', 'it is empty'],
    [' ', 'it is empty'],
    ['a secret of more than 24 bytes in plain text', 'there are'],
    [SECRET.slice('whsec_'.length), 'it is not whsec_ and base64'],
    ['whsec_not-base64-but-long-enough-for-it==', 'it is not whsec_ and base64'],
    [`${SECRET}A`, 'it is not whsec_ and base64'],
    [`${SECRET} ${SECRET} ${SECRET}`, 'there are 3 secrets: give one, or two'],
    [`${SECRET} whsec_AAAA`, 'it has 3 bytes'],
  ])('the secret %j: %s', (secret, text) =>
    expect(of({ secret })).toEqual([expect.stringContaining(`0.secret | ${text}`)]),
  )

  it('two secrets are allowed', () => expect(of({ secret: `${SECRET} ${secretOf(24)}` })).toEqual([]))

  it('format set has no secret', () =>
    expect(of({ format: 'set' })).toEqual([expect.stringContaining('0.secret | format set has none')]))

  it('types are known, with the one that was probably meant', () => {
    expect(of({ events: ['login.refuzed'] })).toEqual([
      '0.events.0 | there is no type "login.refuzed" | login.refused',
    ])
    expect(of({ events: ['clients.', 'user.updated'] })).toEqual([
      expect.stringContaining('0.events.0 | there is no type "clients."'),
      '0.events.1 | there is no type "user.updated" | user.update',
    ])
    expect(of({ events: [] })).toEqual([expect.stringContaining('0.events | it is empty')])
    expect(of({ events: ['audit.sink_failed'] })).toEqual([expect.stringContaining('there is no type')])
  })

  it('types that are only kept with audit.events all need it', () => {
    const sink = webhook(URL_, { events: ['token.issued'] })
    expect(faultsOf(sink)).toEqual([
      expect.stringContaining('0.events.0 | token.issued is only kept with audit.events all'),
    ])
    expect(sinkFaults([sink], { keeps_all: true })).toEqual([])
    // One of them is kept in any case.
    expect(of({ events: ['token.'] })).toEqual([])
  })

  it('two have not the same url, and there are at most 8', () => {
    const twice = [
      webhook(URL_),
      webhook('https://other.example.com/'),
      webhook('https://SIEM.example.com:443/ostiary'),
    ]
    expect(faultsOf(...twice)).toEqual([expect.stringContaining('2.url | sink 0 has it too')])
    const many = (length: number) => Array.from({ length }, (_, n) => webhook(`${URL_}/${n}`))
    expect(faultsOf(...many(8))).toEqual([])
    expect(faultsOf(...many(9))).toEqual([expect.stringContaining('there are 9: give at most 8')])
  })

  it('its id does not contain the url, and is the same for one url', () => {
    expect(sinkId('https://SIEM.example.com:443/a?key=1')).toBe(sinkId('https://siem.example.com/a?key=1'))
    expect(sinkId(URL_)).toMatch(/^[\w-]{43}$/)
  })

  it('createSinks refuses a fault, and names the sink', () => {
    const { store, keysOf } = sinkPlace()
    const make = () =>
      createSinks({
        sinks: [webhook('http://siem.example.com/')],
        audit: store,
        store: memorySinkStore(store),
        fetch: () => fetch,
        keysOf,
      })
    expect(make).toThrow(/sinks\.0\.url.*give an https URL/)
  })
})

it('the types of changes are those of the audit', () => {
  const typesIn = (rules: object): string[] =>
    Object.values(rules).flatMap((rule) => {
      if (typeof rule === 'string') return []
      return 'type' in rule ? [rule.type] : typesIn(rule)
    })
  const all = [CLIENT_STORE, FACTORS, LINKS, MANAGEMENT, REMEMBERED_DEVICES, THROTTLE, TICKETS, USERS]
  const others = [
    'audit.dropped',
    'audit.undo',
    'database.restored',
    'admin.refused',
    'dry_run',
    'mail.test',
    'realm.create',
    'realm.delete',
    'realm.export',
    'realm.import',
    'realm.update',
    'role.grant',
    'role.revoke',
    'simulation',
    'ticket.take',
    'user.export',
  ]
  expect([...new Set([...all.flatMap(typesIn), ...others])].sort()).toEqual([...CHANGE_TYPES])
})
