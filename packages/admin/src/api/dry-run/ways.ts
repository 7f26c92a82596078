/** What users sign in with, and the counters of limits: their writes are only planned. */

import type { Factor, FactorStore, LinkStore, Ticket, TicketStore, UserStore } from '@ostiary/identity'
import { withoutSecrets } from '../operations/ways-in.js'
import type { RealmThrottles, UserStores } from '../parts.js'
import { unplanned } from './management.js'
import type { Plan } from './plan.js'

/** @param users Of the realm, already planned. */
export const plannedStores =
  (plan: Plan, users: UserStore) =>
  (real: UserStores): UserStores => ({
    users: () => users,
    factors: (realm) => plannedFactors(real.factors(realm), plan),
    tickets: (realm) => plannedTickets(real.tickets(realm), plan),
    links: (realm) => plannedLinks(real.links(realm), plan),
    remembered_devices: (realm) => ({
      list: real.remembered_devices(realm).list,
      add: unplanned,
      renew: unplanned,
      remove: unplanned,
    }),
  })

function plannedFactors({ list, find, page }: FactorStore, plan: Plan): FactorStore {
  const shown = (factor: Factor | null) => factor && withoutSecrets(factor)
  return {
    list,
    find,
    page,
    async change({ add = [], remove = [] }) {
      if (add.length > 0) return unplanned()
      for (const factor_id of remove) plan.set(factor_id, shown(await find(factor_id)), null)
      return true
    },
    use: unplanned,
    rename: unplanned,
    reseal: unplanned,
  }
}

function plannedTickets({ find, findOf, list }: TicketStore, plan: Plan): TicketStore {
  const shown = (ticket: Ticket | null) =>
    ticket && { purpose: ticket.purpose, created_at: ticket.created_at, expires_at: ticket.expires_at }
  return {
    find,
    findOf,
    list,
    async put(ticket) {
      plan.set(ticket.purpose, shown(await findOf(ticket.sub, ticket.purpose)), shown(ticket))
    },
    async take(ticket_hash) {
      const ticket = await find(ticket_hash)
      if (ticket !== null) plan.set(ticket.purpose, shown(ticket), null)
      return ticket
    },
  }
}

function plannedLinks({ find, list }: LinkStore, plan: Plan): LinkStore {
  return {
    find,
    list,
    async remove({ issuer, subject }) {
      const link = await find(issuer, subject)
      if (link === null) return false
      const { sub: _, ...shown } = link
      plan.set(JSON.stringify([issuer, subject]), shown, null)
      return true
    },
    add: unplanned,
    use: unplanned,
  }
}

export const plannedThrottles = ({ list }: RealmThrottles, plan: Plan): RealmThrottles => ({
  list,
  async reset(selection) {
    const counters = await list(selection)
    for (const [n, counter] of counters.entries()) plan.set(`${n}`, counter, null)
    return counters.length
  },
})
