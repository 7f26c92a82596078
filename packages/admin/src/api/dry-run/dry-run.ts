/** A write as it would be: everything is checked, and nothing is stored, emitted or sent. */

import { given } from '../given.js'
import type { Answer, Call } from '../operation.js'
import { DRY_RUN_TYPE } from '../schemas.js'
import { plannedManagement } from './management.js'
import { createPlan, type Plan } from './plan.js'
import { plannedRoles, plannedUsers } from './stores.js'
import { plannedStores, plannedThrottles } from './ways.js'

/** The write. */
interface DryWrite {
  /** The `operationId`. */
  id: string
  run(call: Call): Promise<Answer>
  /** Of the realm. */
  issuer: () => Promise<string>
}

/** @throws what the write throws */
export async function dryRun(call: Call, { id, run, issuer }: DryWrite): Promise<Answer> {
  const plan = createPlan()
  await run(plannedCall(call, { plan, issuer }))
  const { realm, params, audit } = call
  const { sub, client_id } = params
  const subject = given({ sub, client_id })
  await audit?.change({ realm, type: 'dry_run', ...subject, ids: { operation: id } }, async () => true)
  return { headers: { 'content-type': DRY_RUN_TYPE }, body: plan.result() }
}

/** Each member is named: one that is new does not compile until it is known whether it writes. */
function plannedCall(call: Call, { plan, issuer }: { plan: Plan } & Pick<DryWrite, 'issuer'>): Call {
  const { plans: real, params, now } = call
  const management = plannedManagement({ real, plan, issuer, now, sub: params.sub ?? null })
  const users = plannedUsers(call.users, plan)
  return {
    realm: call.realm,
    admin_realm: call.admin_realm,
    realms: call.realms,
    resource: call.resource,
    params,
    request: call.request,
    caller: call.caller,
    identity: call.identity,
    passwords: call.passwords,
    configured: call.configured,
    cursor: call.cursor,
    is_planned: true,
    plan,
    now,
    management,
    plans: management,
    users,
    async parts() {
      const parts = await call.parts(plannedStores(plan, users))
      return { ...parts, throttles: plannedThrottles(parts.throttles, plan) }
    },
    roles: plannedRoles(call.roles, plan),
    audit: null,
    emit: () => {},
  }
}
