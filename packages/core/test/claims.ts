/** A user with attributes, and the claims that a client and a resource server get. */

import type { Account } from '@ostiary/core'
import { ALICE, bearer, payload, redeem, type World, type WorldOptions, world } from './support.js'

const ATTRIBUTES = {
  department: 'Sales',
  level: 3,
  roles: ['editor', 'admin'],
  groups: ['staff', 'on call'],
}
export const EVERYWHERE = ['id_token', 'userinfo', 'access_token'] as const

export const withAttributes = (attributes: Record<string, unknown>): Account => ({ ...ALICE, attributes })

export async function start(oidc: WorldOptions['oidc'], options: WorldOptions = {}): Promise<World> {
  const w = await world({ ...options, oidc: { ...oidc } })
  w.accounts.set('alice', withAttributes(ATTRIBUTES))
  return w
}

async function userinfo(w: World, token: string): Promise<Record<string, unknown>> {
  const response = await w.provider.fetch(
    new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(token) }),
  )
  return response.json()
}

/** The claims of an authorization with these scopes. */
export async function claimsOf(w: World, scope: string, more: Record<string, string> = {}) {
  const { code } = await w.browser().code({ scope, ...more })
  const { body } = await redeem(w, code)
  return {
    body,
    id_token: payload(body.id_token),
    userinfo: await userinfo(w, body.access_token),
    access_token: payload(body.access_token),
  }
}

export const names = (claims: object, wanted: readonly string[]) =>
  wanted.filter((name) => Object.hasOwn(claims, name))
