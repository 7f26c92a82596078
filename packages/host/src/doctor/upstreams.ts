/** Whether this machine reaches the other providers at which users sign in, as the server would. */

import type { UpstreamSettings } from '@ostiary/upstream'
import type { HostConfig } from '../config/host-config.js'
import { upstreamFetch } from '../server/extensions/upstreams.js'
import { type Finding, fault, ok } from './finding.js'

/** One after the other would wait for each that is down. */
export async function checkUpstreams({
  issuer,
  upstreams = {},
}: Pick<HostConfig, 'issuer' | 'upstreams'>): Promise<Finding[]> {
  if (Object.keys(upstreams).length === 0) return []
  const { upstreamProblem } = await import('@ostiary/upstream')
  const fetch = upstreamFetch(issuer, upstreams)
  const check = async (name: string, settings: UpstreamSettings) => {
    const problem = await upstreamProblem(settings, fetch)
    if (problem)
      return fault('upstreams', `a sign-in at ${name} cannot begin (${problem.reason})`, problem.hint)
    const state = settings.type === 'github' ? 'needs no document' : 'answers'
    return ok('upstreams', `${name} ${state}; whether it accepts client id and secret, only a sign-in shows`)
  }
  return Promise.all(
    Object.entries(upstreams).flatMap(([realm, of]) =>
      Object.entries(of).map(([id, settings]) =>
        check(realm === 'default' ? id : `${realm}: ${id}`, settings),
      ),
    ),
  )
}
