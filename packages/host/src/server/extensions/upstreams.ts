/** Sign-in at other providers, as the configuration sets it. */

import { isLoopbackIssuer } from '@ostiary/core'
import type { Extension } from '@ostiary/identity'
import type { RealmUpstreams } from '@ostiary/upstream'
import type { HostConfig } from '../../config/host-config.js'
import { guardedFetch, hostAndPort } from '../../network/guarded-fetch.js'
import type { HostStorage } from '../../storage/host-storage.js'

/** More than the package reads: it bounds an answer itself. */
const MAX_ANSWER_BYTES = 300_000

/** Null where no realm has upstreams, and then nothing is loaded. */
export async function upstreamsOf(
  { issuer, upstreams: realms }: Pick<HostConfig, 'issuer' | 'upstreams'>,
  { storage, now }: { storage: Pick<HostStorage, 'links'>; now: () => number },
): Promise<Extension | null> {
  if (realms === undefined) return null
  const { createUpstreams } = await import('@ostiary/upstream')
  return createUpstreams({ realms, links: storage.links, fetch: upstreamFetch(issuer, realms), now })
}

/**
 * The host of an issuer may be in a private network: the operator has named it. Other hosts, which the discovery document names, may not.
 * An issuer on this machine may use providers on it.
 */
export function upstreamFetch(
  issuer: string,
  realms: Readonly<Record<string, RealmUpstreams>>,
): (url: string, init: RequestInit) => Promise<Response> {
  const issuers = Object.values(realms).flatMap((upstreams) =>
    Object.values(upstreams).flatMap((upstream) => upstream.issuer ?? []),
  )
  const is_local = isLoopbackIssuer(issuer)
  return guardedFetch({
    allow_loopback: is_local,
    allow_loopback_https: is_local,
    private_hosts: issuers.map(hostAndPort),
    max_body_bytes: MAX_ANSWER_BYTES,
  })
}
