/** The stores of users and of what belongs to them, in memory: the reference for adapters. */

import { isDeepStrictEqual } from 'node:util'
import { copied } from '@ostiary/core/memory'
import { pageOf } from '../web/page-of.js'
import type { ExpectedVersion, Factor, FactorStore, Factors } from './factor-store.js'
import type { Link, LinkStore, Links } from './link-store.js'
import type { RememberedDevice, RememberedDeviceStore, RememberedDevices } from './remembered-device-store.js'
import type { Ticket, TicketPurpose, TicketStore, Tickets } from './ticket-store.js'
import type { User, UserStore, Users } from './user-store.js'

/** Users in the memory of this process, for tests and demos. */
export const memoryUsers = (): Users => memoryUserStores().users

/** Users and what belongs to them in the memory of this process, for tests and demos. */
export function memoryUserStores(): {
  users: Users
  factors: Factors
  links: Links
  tickets: Tickets
  remembered_devices: RememberedDevices
} {
  const realms = new Map<string, RealmStores>()
  const storesOf = (realm: string) => {
    const stores = realms.get(realm) ?? realmStores()
    realms.set(realm, stores)
    return stores
  }
  return {
    users: (realm) => storesOf(realm).users,
    factors: (realm) => storesOf(realm).factors,
    links: (realm) => storesOf(realm).links,
    tickets: (realm) => storesOf(realm).tickets,
    remembered_devices: (realm) => storesOf(realm).remembered_devices,
  }
}

interface RealmStores {
  users: UserStore
  factors: FactorStore
  links: LinkStore
  tickets: TicketStore
  remembered_devices: RememberedDeviceStore
}

function realmStores(): RealmStores {
  const bySub = new Map<string, User>()
  const factors = new Map<string, Factor>()
  const links = new Map<string, Link>()
  const tickets = new Map<string, Ticket>()
  const devices = new Map<string, RememberedDevice[]>()
  const deleteOf = (sub: string) => {
    for (const factor of factors.values()) if (factor.sub === sub) factors.delete(factor.factor_id)
    for (const link of links.values()) if (link.sub === sub) links.delete(linkKey(link))
    for (const ticket of tickets.values()) if (ticket.sub === sub) tickets.delete(ticket.ticket_hash)
    devices.delete(sub)
  }
  return {
    users: userStore(bySub, deleteOf),
    factors: factorStore(bySub, factors),
    links: linkStore(bySub, links),
    tickets: ticketStore(tickets),
    remembered_devices: rememberedDeviceStore(devices),
  }
}

/** @param deleteOf Deletes the other records of a user. */
function userStore(bySub: Map<string, User>, deleteOf: (sub: string) => void): UserStore {
  const byKey = new Map<string, User>()
  const deleted_subs = new Set<string>()
  // Copied on reads and writes: a caller that changes its record must not change the stored one.
  const put = (user: User) => {
    const stored = copied(user)
    bySub.set(user.sub, stored)
    byKey.set(user.username_key, stored)
    return true
  }
  const copy = (user: User | undefined) => (user ? copied(user) : null)
  return {
    find: async (sub) => copy(bySub.get(sub)),
    findByUsername: async (username_key) => copy(byKey.get(username_key)),
    async create(user) {
      const taken = bySub.has(user.sub) || byKey.has(user.username_key) || deleted_subs.has(user.sub)
      return !taken && put(user)
    },
    async update(user, expected_updated_at) {
      const stored = bySub.get(user.sub)
      const owner = byKey.get(user.username_key)
      if (stored?.updated_at !== expected_updated_at || (owner && owner !== stored)) return false
      byKey.delete(stored.username_key)
      return put(user)
    },
    async delete(sub) {
      const stored = bySub.get(sub)
      if (!stored) return false
      byKey.delete(stored.username_key)
      bySub.delete(sub)
      deleteOf(sub)
      deleted_subs.add(sub)
      return true
    },
    list: async (page) => pageOf(bySub.values(), 'sub', page),
  }
}

function factorStore(bySub: Map<string, User>, factors: Map<string, Factor>): FactorStore {
  const isOf = (sub: string) => (factor_id: string) => factors.get(factor_id)?.sub === sub
  return {
    list: async (sub) =>
      [...factors.values()]
        .filter((factor) => factor.sub === sub)
        .sort((a, b) => a.created_at - b.created_at || (a.factor_id < b.factor_id ? -1 : 1))
        .map((factor) => copied(factor)),
    async find(factor_id) {
      const factor = factors.get(factor_id)
      return factor ? copied(factor) : null
    },
    async change({ sub, add = [], remove = [], second_step }, expected) {
      const user = bySub.get(sub)
      const is_possible =
        remove.every(isOf(sub)) &&
        add.every(({ factor_id }) => !factors.has(factor_id)) &&
        new Set(add.map(({ factor_id }) => factor_id)).size === add.length
      if (!is_possible || !raiseVersion(user, expected)) return false
      for (const factor_id of remove) factors.delete(factor_id)
      for (const factor of add) factors.set(factor.factor_id, copied(factor))
      if (second_step !== undefined) user.second_step = second_step
      return true
    },
    async use(factor_id, expected_state, next) {
      const factor = factors.get(factor_id)
      if (factor?.state !== expected_state) return false
      Object.assign(factor, next)
      return true
    },
    async rename(factor_id, label) {
      const factor = factors.get(factor_id)
      if (!factor) return false
      factor.label = label
      return true
    },
    page: async (page) => pageOf(factors.values(), 'factor_id', page),
    async reseal(factor_id, expected_data, data) {
      const factor = factors.get(factor_id)
      if (!factor || !isDeepStrictEqual(factor.data, expected_data)) return false
      factor.data = copied(data)
      return true
    },
  }
}

/** The version of the user is one more then. False when it is another one. */
function raiseVersion(user: User | undefined, { credential_version, now }: ExpectedVersion): user is User {
  if (user?.credential_version !== credential_version) return false
  // The map of the names has the same object.
  user.credential_version += 1
  user.updated_at = Math.max(now, user.updated_at + 1)
  return true
}

const linkKey = ({ issuer, subject }: Pick<Link, 'issuer' | 'subject'>): string =>
  JSON.stringify([issuer, subject])

/** @param links By `linkKey`. */
function linkStore(bySub: Map<string, User>, links: Map<string, Link>): LinkStore {
  const ownOf = (link: Pick<Link, 'issuer' | 'subject' | 'sub'>) => {
    const own = links.get(linkKey(link))
    return own?.sub === link.sub ? own : undefined
  }
  return {
    async find(issuer, subject) {
      const link = links.get(linkKey({ issuer, subject }))
      return link ? copied(link) : null
    },
    list: async (sub) =>
      [...links.values()]
        .filter((link) => link.sub === sub)
        .sort((a, b) => a.linked_at - b.linked_at)
        .map((link) => copied(link)),
    async add(link, expected) {
      if (links.has(linkKey(link)) || !raiseVersion(bySub.get(link.sub), expected)) return false
      links.set(linkKey(link), copied(link))
      return true
    },
    async remove(link, expected) {
      if (!ownOf(link) || !raiseVersion(bySub.get(link.sub), expected)) return false
      return links.delete(linkKey(link))
    },
    async use(link, last_used_at) {
      const own = ownOf(link)
      if (own) own.last_used_at = last_used_at
    },
  }
}

function ticketStore(tickets: Map<string, Ticket>): TicketStore {
  const find = (ticket_hash: string) => {
    const ticket = tickets.get(ticket_hash)
    return ticket ? copied(ticket) : null
  }
  const ofPurpose = (purpose: TicketPurpose) =>
    copied([...tickets.values()].filter((ticket) => ticket.purpose === purpose))
  return {
    async put(ticket) {
      const { sub, purpose, created_at } = ticket
      for (const old of tickets.values())
        if ((old.sub === sub && old.purpose === purpose) || old.expires_at <= created_at)
          tickets.delete(old.ticket_hash)
      tickets.set(ticket.ticket_hash, copied(ticket))
    },
    find: async (ticket_hash) => find(ticket_hash),
    findOf: async (sub, purpose) => ofPurpose(purpose).find((ticket) => ticket.sub === sub) ?? null,
    list: async ({ purpose, ...page }) => pageOf(ofPurpose(purpose), 'sub', page),
    async take(ticket_hash) {
      const ticket = find(ticket_hash)
      tickets.delete(ticket_hash)
      return ticket
    },
  }
}

/** @param bySub The devices of each user, the oldest first. */
function rememberedDeviceStore(bySub: Map<string, RememberedDevice[]>): RememberedDeviceStore {
  const of = (sub: string) => bySub.get(sub) ?? []
  return {
    list: async (sub) => of(sub).map((device) => copied(device)),
    async add(device) {
      const current = of(device.sub).filter(({ expires_at }) => expires_at > device.created_at)
      bySub.set(device.sub, [...current, copied(device)])
    },
    async renew({ sub, device_id, secret_hash }, next) {
      const stored = of(sub).find((device) => device.device_id === device_id)
      if (stored?.secret_hash !== secret_hash) return false
      Object.assign(stored, next, { former_hash: secret_hash })
      return true
    },
    async remove(sub, device_id) {
      const left = of(sub).filter((device) => device.device_id !== device_id)
      const is_found = left.length < of(sub).length
      bySub.set(sub, left)
      return is_found
    },
  }
}
