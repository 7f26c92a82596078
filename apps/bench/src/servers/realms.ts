/** Endpoints of a server with realms by path. */

import type { Endpoint, Target } from '../target.js'

export const realmId = (index: number): string => `realm-${index}`

/** The target of one realm. */
export function inRealm(target: Target, index: number): Target {
  const prefix = `/realms/${realmId(index)}`
  const paths: Partial<Record<Endpoint, string>> = {}
  for (const [name, path] of Object.entries(target.paths)) paths[name as Endpoint] = prefix + path
  return { ...target, paths, resource: `${target.origin}${prefix}/api` }
}
