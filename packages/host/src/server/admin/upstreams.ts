/** The other providers of a realm, as the admin API and the commands show them: without what is secret. */

import type { ShownUpstream, UpstreamReader } from '@ostiary/admin'
import type { UpstreamSettings } from '@ostiary/upstream'
import { DEFAULT_REALM } from '../../config/entries.js'
import type { HostConfig } from '../../config/host-config.js'
import { upstreamFetch } from '../extensions/upstreams.js'

/** Milliseconds for all requests of a check: the admin API gives up after 5,000. */
const CHECK_MS = 4000

export type UpstreamConfig = Pick<HostConfig, 'issuer' | 'upstreams'> & {
  oidc: { routes?: { realms?: string | undefined } | undefined }
}

/** Where a realm has none, the list is empty. */
export function upstreamReader(
  { issuer, oidc, upstreams = {} }: UpstreamConfig,
  realm: string,
): UpstreamReader {
  const own = Object.hasOwn(upstreams, realm) ? (upstreams[realm] ?? {}) : {}
  const base = `${issuer}${oidc.routes?.realms === 'path' ? `/realms/${realm}` : ''}/login/`
  const key = `${realm === DEFAULT_REALM ? '' : `realms.${realm}.`}identity.upstreams.`
  return {
    list: Object.entries(own).map(([id, settings]) => shown(settings, { id, base, key: key + id })),
    async check(id) {
      const settings = Object.hasOwn(own, id) ? own[id] : undefined
      if (settings === undefined) return null
      const { upstreamProblem } = await import('@ostiary/upstream')
      const send = upstreamFetch(issuer, upstreams)
      const signal = AbortSignal.timeout(CHECK_MS)
      const problem = await upstreamProblem(settings, (url, init) => send(url, { ...init, signal }))
      const { reason, hint } = problem ?? { reason: null, hint: null }
      return { id, asked: settings.type === 'oidc', ready: problem === null, reason, hint }
    },
  }
}

/** Each member is named: one that is new, and may be secret, is not shown. */
const shown = (
  settings: UpstreamSettings,
  { id, base, key }: { id: string; base: string; key: string },
): ShownUpstream => ({
  id,
  name: settings.name,
  type: settings.type,
  issuer: settings.issuer ?? null,
  client_id: settings.client_id,
  authentication: settings.private_key === undefined ? 'client_secret' : 'private_key',
  redirect_uri: `${base}callback/${id}`,
  backchannel_logout_uri: settings.type === 'oidc' ? `${base}upstream/${id}/logout` : null,
  scopes: settings.scopes ?? null,
  signup: settings.signup ?? false,
  link: settings.link ?? 'signed_in',
  domains: settings.domains ?? [],
  authoritative_domains: settings.authoritative_domains ?? [],
  tenants: settings.tenants ?? [],
  only: settings.only ?? false,
  require_second_factor: settings.require_second_factor ?? false,
  groups: settings.groups ?? null,
  key,
})
