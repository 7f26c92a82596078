/** Whether this machine reaches the other providers at which users sign in, as the server would. */

import type { HostConfig } from '../config/host-config.js'
import { upstreamFetch } from '../server/upstreams.js'
import { type Finding, fault, ok } from './finding.js'

/** One after the other would wait for each that is down. */
export async function checkUpstreams({
  issuer,
  upstreams = {},
}: Pick<HostConfig, 'issuer' | 'upstreams'>): Promise<Finding[]> {
  if (Object.keys(upstreams).length === 0) return []
  const { upstreamProblem } = await import('@ostiary/upstream')
  const fetch = upstreamFetch(issuer, upstreams)
  const all = Object.entries(upstreams).flatMap(([realm, of]) =>
    Object.entries(of).map(([id, settings]) => ({
      name: realm === 'default' ? id : `${realm}: ${id}`,
      settings,
    })),
  )
  return Promise.all(
    all.map(async ({ name, settings }) => {
      const problem = await upstreamProblem(settings, fetch)
      return problem === null
        ? ok('upstreams', settings.type === 'github' ? `${name} needs no document` : `${name} answers`)
        : fault('upstreams', `a sign-in at ${name} cannot begin (${problem.reason})`, problem.hint)
    }),
  )
}
