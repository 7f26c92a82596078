/** The management of a realm, whose changes are only planned. A function that is new there does not compile without its plan here. */

import type { Client, ClientDocument, Grant, Management } from '@ostiary/core'
import type { Plan } from './plan.js'

/** Where changes are planned. */
export interface PlanPlace {
  /** Without rows in the audit. */
  real: Management
  plan: Plan
  /** The user of the address; null for none. */
  sub: string | null
  /** Of the realm. */
  issuer: () => Promise<string>
  /** Epoch seconds. */
  now: number
}

/** No operation of the API calls it. */
export const unplanned = async (): Promise<never> => {
  throw new Error('This change has no dry run')
}

export const plannedManagement = (place: PlanPlace): Management => ({
  clients: plannedClients(place),
  consents: plannedConsents(place),
  grants: plannedGrants(place),
  users: plannedUserAccess(place),
  sessions: plannedSessions(place),
  keys: plannedKeys(place),
})

/** Of the client that an operation changes, in a plan. */
const NAME = 'client'

function plannedClients({ real: { clients }, plan, now }: PlanPlace): Management['clients'] {
  const ensure: typeof clients.ensure = async (input, options) => {
    const before = await clients.find(input.client_id)
    const planned = await clients.ensure(input, { ...options, plan: true })
    plan.set(NAME, before, planned.client)
    return planned
  }
  return {
    list: clients.list,
    find: clients.find,
    ensure,
    create: ({ client_id, ...input }) =>
      client_id === undefined ? unplanned() : ensure({ ...input, client_id }),
    async update(client_id, changes, options) {
      const before = await clients.find(client_id)
      const planned = await clients.update(client_id, changes, { ...options, plan: true })
      if (planned !== null) plan.set(NAME, before, planned.client)
      return planned
    },
    async delete(client_id) {
      const before = await clients.find(client_id)
      if (before === null) return null
      plan.set(NAME, before, null)
      // They are found by reading those of all users.
      plan.ends({ grants: null, consents: null })
      return { grants: 0, consents: 0, id_free_at: now }
    },
    async revoke(client_id) {
      const before = await clients.find(client_id)
      if (before === null || before.revoked_at !== null) return false
      plan.set(NAME, before, revoked(before, now))
      return true
    },
    async rotateSecret(client_id) {
      const before = await clients.find(client_id)
      const planned = await clients.rotateSecret(client_id, { plan: true })
      if (planned !== null) plan.set(NAME, before, planned.client)
      return planned
    },
    documents: {
      list: clients.documents.list,
      find: clients.documents.find,
      async forget(client_id) {
        const stored = await clients.documents.find(client_id)
        if (stored !== null) plan.set(NAME, shownDocument(stored), null)
        return stored !== null
      },
    },
  }
}

/** Without the text that was fetched. */
const shownDocument = ({ client_id, fetched_at, changed_at, expires_at }: ClientDocument) => ({
  client_id,
  fetched_at,
  changed_at,
  expires_at,
})

/** A client with a metadata document becomes a stored one. */
const revoked = (client: Client, now: number): Client => ({
  ...client,
  ...(client.origin === 'metadata_document' && { origin: 'operator' as const, client_id_issued_at: now }),
  revoked_at: now,
})

type GrantSelection = Partial<Pick<Grant, 'client_id' | 'resource' | 'offline' | 'sid'>>

/** The grants of a user that match every given member. */
async function grantsOf({ real }: PlanPlace, sub: string, selection: GrantSelection): Promise<Grant[]> {
  const wanted = Object.entries(selection).filter(([, value]) => value !== undefined)
  const grants = await real.grants.list(sub)
  return grants.filter((grant) => wanted.every(([name, value]) => grant[name as keyof Grant] === value))
}

function plannedConsents(place: PlanPlace): Management['consents'] {
  const { real, plan, issuer } = place
  return {
    list: real.consents.list,
    async revoke({ sub, client_id, resource }) {
      const consents = (await real.consents.list(sub)).filter(
        (consent) =>
          consent.client_id === client_id &&
          consent.revoked_at === null &&
          (resource === undefined || consent.resource === resource),
      )
      const grants = await grantsOf(place, sub, { client_id })
      const own = resource !== undefined && resource === (await issuer())
      // A consent for the issuer covers grants without a resource too.
      const covered = grants.filter(
        (grant) => resource === undefined || grant.resource === resource || (own && grant.resource === null),
      )
      plan.ends({ consents: consents.length, grants: covered.length })
      return consents.length
    },
  }
}

function plannedGrants(place: PlanPlace): Management['grants'] {
  return {
    list: place.real.grants.list,
    async revoke({ sub, ...selection }) {
      const grants = (await grantsOf(place, sub, selection)).length
      place.plan.ends({ grants })
      return grants
    },
  }
}

function plannedUserAccess({ real, plan }: PlanPlace): Management['users'] {
  const access = async (sub: string, keep_sid?: string) => {
    const sessions = (await real.sessions.list(sub)).filter(({ sid }) => sid !== keep_sid).length
    return { sessions, grants: (await real.grants.list(sub)).length }
  }
  return {
    async endAccess(sub, { keep_sid } = {}) {
      const ended = await access(sub, keep_sid)
      plan.ends(ended)
      return ended
    },
    async delete(sub) {
      const ended = { ...(await access(sub)), consents: (await real.consents.list(sub)).length }
      plan.ends(ended)
      return ended
    },
  }
}

function plannedSessions(place: PlanPlace): Management['sessions'] {
  const { real, plan, sub: of } = place
  return {
    list: real.sessions.list,
    async end(sid) {
      if (of === null) return unplanned()
      const grants = (await grantsOf(place, of, { sid, offline: false })).length
      plan.ends({ sessions: 1, grants })
      return { grants }
    },
    async endAll(sub) {
      const sids = (await real.sessions.list(sub)).map(({ sid }) => sid)
      const grants = (await grantsOf(place, sub, { offline: false })).length
      plan.ends({ sessions: sids.length, grants })
      return { sids, grants }
    },
    endOthers: unplanned,
  }
}

function plannedKeys({ real: { keys }, plan }: PlanPlace): Management['keys'] {
  return {
    list: keys.list,
    check: keys.check,
    async rotate(options) {
      const { kid: _, ...key } = await keys.rotate({ ...options, plan: true })
      plan.set('key', null, key)
      plan.ends({ keys: 1 })
      return { ...key, kid: '' }
    },
    async revoke(kid) {
      const key = (await keys.list()).find((known) => known.kid === kid)
      if (key === undefined) return false
      plan.set('key', key, null)
      plan.ends({ keys: 1 })
      return true
    },
    ready: unplanned,
    reseal: unplanned,
    attest: unplanned,
    signEvent: unplanned,
  }
}
