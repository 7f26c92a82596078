/**
 * What each function of management and of the stores is for the audit. A new function does not compile without its row here.
 *
 * `reads`: it changes nothing. `told`: it is part of a sign-in or of the protocol, of which an event tells; or it tidies up.
 */

import type { ClientStore, Management, Throttle } from '@ostiary/core'
import type { FactorStore, LinkStore, RememberedDeviceStore, TicketStore, UserStore } from '@ostiary/identity'
import type { Subject } from './changes.js'

/** A change that gets a row before it. */
export interface ChangeRule<Target, Args extends unknown[] = never[], Result = never> {
  type: string
  subject(...args: Args): Subject
  /** Reads the record that is changed. */
  record?(target: Target, subject: Subject, ...args: Args): Promise<object | null>
  /** What the result tells of the row. */
  told?(result: Result): Partial<Subject>
  /** Only some calls are such a change. */
  when?(...args: Args): boolean
}

export type Rule<Target> = 'reads' | 'told' | ChangeRule<Target>

/** A row for each function, and for those of its groups. */
export type Rules<Target> = {
  readonly [Name in keyof Target]-?: Target[Name] extends (...args: never[]) => unknown
    ? Rule<Target>
    : Rules<Target[Name]>
}

/** Types a rule by its arguments. */
const rule = <Target, Args extends unknown[], Result = unknown>(
  of: ChangeRule<Target, Args, Result>,
): ChangeRule<Target> => of as unknown as ChangeRule<Target>

type Clients = Management['clients']

const clientOf = async (clients: Pick<Clients, 'find'>, { client_id }: Subject) =>
  client_id === undefined ? null : clients.find(client_id)

const ofClient = (type: string): ChangeRule<Clients> =>
  rule<Clients, [client_id: string]>({ type, subject: (client_id) => ({ client_id }), record: clientOf })

/** Of a function that takes the record. */
const ofClientRecord = (type: string) =>
  rule<Pick<Clients, 'find'>, [{ client_id: string }]>({
    type,
    subject: ({ client_id }) => ({ client_id }),
    record: clientOf,
  })

/** Numbers of what has ended. */
const counts = (result: object): Partial<Subject> => ({ ids: { ...result } })
const countOf = (result: number): Partial<Subject> => ({ ids: { changed: result } })

const CLIENTS: Rules<Clients> = {
  create: rule<Clients, [{ client_id?: string }], { client: { client_id: string } }>({
    type: 'client.create',
    subject: ({ client_id }) => (client_id === undefined ? {} : { client_id }),
    told: ({ client: { client_id } }) => ({ client_id }),
    record: clientOf,
  }),
  ensure: ofClientRecord('client.ensure'),
  list: 'reads',
  find: 'reads',
  update: ofClient('client.update'),
  delete: ofClient('client.delete'),
  revoke: ofClient('client.revoke'),
  rotateSecret: ofClient('client.rotate_secret'),
  documents: {
    list: 'reads',
    find: 'reads',
    forget: rule<Clients['documents'], [client_id: string]>({
      type: 'client_document.forget',
      subject: (client_id) => ({ client_id }),
    }),
  },
}

type Selection = { sub: string; client_id?: string; resource?: string | null }

const ofSelection = (type: string) =>
  rule<unknown, [Selection], number>({
    type,
    subject: ({ sub, client_id, resource }) => ({
      sub,
      ...(client_id !== undefined && { client_id }),
      ...(resource !== undefined && { ids: { resource } }),
    }),
    told: countOf,
  })

const ofUser = <Result = unknown>(type: string, told?: (result: Result) => Partial<Subject>) =>
  rule<unknown, [sub: string], Result>({ type, subject: (sub) => ({ sub }), ...(told && { told }) })

/** It changes all records of a kind, or some of them: their number is told. */
const ofMany = (type: string) =>
  rule<unknown, unknown[], number>({ type, subject: () => ({}), told: countOf })

export const MANAGEMENT: Rules<Management> = {
  clients: CLIENTS,
  consents: { list: 'reads', revoke: ofSelection('consent.revoke') },
  grants: { list: 'reads', revoke: ofSelection('grant.revoke') },
  users: {
    delete: ofUser('user.delete_records', counts),
    endAccess: ofUser('user.end_access', counts),
  },
  sessions: {
    list: 'reads',
    end: rule<unknown, [sid: string], { grants: number }>({
      type: 'session.end',
      subject: (sid) => ({ ids: { sid } }),
      told: ({ grants }) => ({ ids: { grants } }),
    }),
    endAll: ofUser<{ sids: string[]; grants: number }>('session.end_all', ({ sids, grants }) => ({
      ids: { sessions: sids.length, grants },
    })),
    endOthers: ofUser<string[]>('session.end_others', ({ length }) => ({ ids: { sessions: length } })),
  },
  keys: {
    list: 'reads',
    ready: 'told',
    check: 'reads',
    rotate: rule<unknown, [], { kid: string; signs_from: number }>({
      type: 'key.rotate',
      subject: () => ({}),
      told: ({ kid, signs_from }) => ({ ids: { kid, signs_from } }),
    }),
    revoke: rule<unknown, [kid: string]>({ type: 'key.revoke', subject: (kid) => ({ ids: { kid } }) }),
    reseal: ofMany('key.reseal'),
    attest: 'told',
    signEvent: 'told',
  },
}

const storedClient = ofClientRecord('client.store')

/** Of the configuration: everything else reaches clients through management. */
export const CLIENT_STORE: Rules<ClientStore> = {
  find: 'reads',
  create: storedClient,
  update: storedClient,
  setSecret: 'told',
  keep: 'told',
  revoke: 'told',
  list: 'reads',
  delete: 'told',
  deleted: 'reads',
  forget: 'told',
}

export const THROTTLE: Rules<Throttle> = {
  hit: 'told',
  hitBoth: 'told',
  release: 'told',
  list: 'reads',
  reset: ofMany('throttle.reset'),
}

/** Of a function that takes the record. */
const ofUserRecord = (type: string) =>
  rule<UserStore, [{ sub: string }]>({
    type,
    subject: ({ sub }) => ({ sub }),
    record: (store, { sub = '' }) => store.find(sub),
  })

export const USERS: Rules<UserStore> = {
  find: 'reads',
  findByUsername: 'reads',
  create: ofUserRecord('user.create'),
  update: ofUserRecord('user.update'),
  // Without the record: its row would keep what the deletion is for.
  delete: ofUser('user.delete'),
  list: 'reads',
}

const factorsOf = async (store: FactorStore, { sub = '' }: Subject) =>
  Object.fromEntries(
    (await store.list(sub)).map(({ factor_id, kind, label }) => [factor_id, { kind, label }]),
  )

export const FACTORS: Rules<FactorStore> = {
  list: 'reads',
  find: 'reads',
  change: rule<FactorStore, [{ sub: string }]>({
    type: 'factor.change',
    subject: ({ sub }) => ({ sub }),
    record: factorsOf,
  }),
  use: 'told',
  rename: rule<FactorStore, [factor_id: string]>({
    type: 'factor.rename',
    subject: (factor_id) => ({ ids: { factor_id } }),
  }),
  page: 'reads',
  reseal: 'told',
}

type LinkName = { sub: string; issuer: string; subject: string }

const ofLink = (type: string) =>
  rule<LinkStore, [LinkName]>({ type, subject: ({ sub, issuer }) => ({ sub, ids: { issuer } }) })

export const LINKS: Rules<LinkStore> = {
  find: 'reads',
  list: 'reads',
  add: ofLink('link.add'),
  remove: ofLink('link.remove'),
  use: 'told',
}

/** Links that an operator makes. The others are asked for by mail, of which events tell. */
const OF_OPERATORS: readonly string[] = ['recover', 'invite']

export const TICKETS: Rules<TicketStore> = {
  put: rule<TicketStore, [{ sub: string; purpose: string; expires_at: number }]>({
    type: 'ticket.put',
    subject: ({ sub, purpose, expires_at }) => ({ sub, ids: { purpose, expires_at } }),
    when: ({ purpose }) => OF_OPERATORS.includes(purpose),
  }),
  find: 'reads',
  findOf: 'reads',
  list: 'reads',
  take: 'told',
}

export const REMEMBERED_DEVICES: Rules<RememberedDeviceStore> = {
  list: 'reads',
  add: 'told',
  renew: 'told',
  remove: ofUser('remembered_device.remove'),
}
