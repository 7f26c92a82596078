/** An OpenID provider: the authorization code flow with PKCE, and the checks of its ID token (OpenID Connect Core §3.1.3.7). */

import type { Configuration, IDToken, ServerMetadata as Metadata } from 'openid-client'
import {
  APPLE_ISSUER,
  APPLE_ISSUERS,
  GOOGLE_ISSUER,
  hasManyTenants,
  isApple,
  isMicrosoft,
  MICROSOFT_TEMPLATE,
} from '../known.js'
import { UpstreamRefusal } from '../refusal.js'
import { isTenant, type UpstreamSettings } from '../settings.js'
import { clientAuth } from './client-auth.js'
import { answerUrl, codeRequest, load } from './code-flow.js'
import { chainOf, refusalOf } from './failure.js'
import { kept } from './kept.js'
import { limitedFetch, type UpstreamFetch } from './limited-fetch.js'
import { logoutTokens } from './logout-token.js'
import { type Protocol, type RoundTrip, textOf, type UpstreamAnswer } from './trip.js'

export interface ProtocolOptions {
  fetch: UpstreamFetch
  /** Epoch seconds. */
  now: () => number
}

/** Seconds for which a discovery document is used. */
const DOCUMENT_SECONDS = 3600

export function oidcProtocol(settings: UpstreamSettings, options: ProtocolOptions): Protocol {
  const documents = discovered(settings, options)
  return {
    async authorizationUrl(trip, { login_hint, fresh }) {
      try {
        const { buildAuthorizationUrl } = await load()
        const config = await configuration(settings, options, await documents())
        return buildAuthorizationUrl(config, {
          ...codeRequest(trip, scopesOf(settings)),
          nonce: trip.nonce,
          // Apple sends the name and the address in no other way.
          ...(isApple(settings.issuer ?? '') && { response_mode: 'form_post' }),
          ...(login_hint !== null && { login_hint }),
          ...(fresh && knowsPrompt(settings) && { prompt: 'login' }),
        }).href
      } catch (error) {
        throw refusalOf(error)
      }
    },
    async answer(trip, params) {
      try {
        return await checkedAnswer({ settings, options, metadata: await documents() }, trip, params)
      } catch (error) {
        throw refusalOf(error)
      }
    },
    ended: logoutTokens(settings, { ...options, document: documents }),
  }
}

/** The others refuse, or ignore, `prompt=login`. */
const knowsPrompt = ({ issuer = '' }: UpstreamSettings): boolean =>
  issuer !== GOOGLE_ISSUER && !isApple(issuer)

function scopesOf({ issuer = '', scopes }: UpstreamSettings): readonly string[] {
  const wanted = scopes ?? (isApple(issuer) ? ['name', 'email'] : ['profile', 'email'])
  return ['openid', ...wanted]
}

/** The discovery document, kept for an hour. */
function discovered(settings: UpstreamSettings, { fetch, now }: ProtocolOptions): () => Promise<Metadata> {
  const { issuer = '' } = settings
  async function read(): Promise<Metadata> {
    const url = `${issuer.endsWith('/') ? issuer.slice(0, -1) : issuer}/.well-known/openid-configuration`
    const response = await limitedFetch(fetch)(url, { headers: { accept: 'application/json' } })
    const document = response.status === 200 ? ((await response.json()) as Metadata) : null
    if (typeof document !== 'object' || document === null) throw new UpstreamRefusal('bad_response')
    if (!documentIssuers(issuer).includes(document.issuer))
      throw new UpstreamRefusal('issuer_differs', document.issuer)
    return document
  }
  return kept(read, { now, seconds: DOCUMENT_SECONDS })
}

/** What the document may have as its issuer: exactly that of the settings. */
function documentIssuers(issuer: string): readonly string[] {
  if (isApple(issuer)) return APPLE_ISSUERS
  return hasManyTenants(issuer) ? [MICROSOFT_TEMPLATE] : [issuer]
}

async function configuration(
  settings: UpstreamSettings,
  { fetch, now }: ProtocolOptions,
  metadata: Metadata,
): Promise<Configuration> {
  const openid = await load()
  const time = now()
  const clock = { [openid.clockSkew]: time - Math.floor(Date.now() / 1000) }
  const methods = metadata.token_endpoint_auth_methods_supported
  const auth = await clientAuth(openid, settings, { methods, now: time })
  const config = new openid.Configuration(metadata, settings.client_id, clock, auth)
  config[openid.customFetch] = (url, init) => limitedFetch(fetch)(url, init as RequestInit)
  // OpenID Connect Core §3.1.3.7 lets TLS replace it; here each ID token is verified.
  openid.enableNonRepudiationChecks(config)
  if (metadata.issuer.startsWith('http:')) openid.allowInsecureRequests(config)
  return config
}

interface Asked {
  settings: UpstreamSettings
  options: ProtocolOptions
  metadata: Metadata
}

async function checkedAnswer(
  asked: Asked,
  trip: RoundTrip,
  params: URLSearchParams,
): Promise<UpstreamAnswer> {
  const { settings, metadata } = asked
  const { config, tokens } = await exchange(asked, trip, params)
  const claims = tokens.claims()
  if (claims === undefined) throw new UpstreamRefusal('bad_response')
  checkAudience(settings, claims)
  const needs_more = claims.email === undefined && metadata.userinfo_endpoint !== undefined
  const more = needs_more ? await userInfo(config, tokens.access_token, claims.sub) : {}
  return answerOf(settings, { ...more, ...claims }, params)
}

/**
 * The ID token has exactly the issuer of the document. Of Apple and of Microsoft with many tenants it may have another one, which is known
 * by the token alone: then the same answer of the token endpoint is checked again, with that issuer.
 */
async function exchange(asked: Asked, trip: RoundTrip, params: URLSearchParams) {
  const { settings, options, metadata } = asked
  const remembering = { ...asked, options: { ...options, fetch: remembered(options.fetch, metadata) } }
  try {
    return await grant(remembering, trip, params)
  } catch (error) {
    const issuer = issuerOfToken(settings, error)
    if (issuer === null) throw error
    return grant({ ...remembering, metadata: { ...metadata, issuer } }, trip, params)
  }
}

async function grant({ settings, options, metadata }: Asked, trip: RoundTrip, params: URLSearchParams) {
  const openid = await load()
  const config = await configuration(settings, options, metadata)
  const tokens = await openid.authorizationCodeGrant(config, answerUrl(trip, params), {
    expectedState: trip.state,
    expectedNonce: trip.nonce,
    pkceCodeVerifier: trip.code_verifier,
    idTokenExpected: true,
  })
  return { config, tokens }
}

/** Sends the code once. */
function remembered(send: UpstreamFetch, { token_endpoint }: Metadata): UpstreamFetch {
  let answer: Promise<Response> | null = null
  return async (url, init) => {
    if (url !== token_endpoint) return send(url, init)
    answer ??= send(url, init)
    return (await answer).clone()
  }
}

/** Another issuer that the ID token may have; null for each other failure. */
function issuerOfToken(settings: UpstreamSettings, error: unknown): string | null {
  const { issuer = '', tenants = [] } = settings
  const claims = claimsOfOtherIssuer(error)
  if (claims === null) return null
  const { iss, tid } = claims
  if (isApple(issuer)) return APPLE_ISSUERS.find((one) => one === iss) ?? null
  if (!hasManyTenants(issuer) || typeof tid !== 'string' || !isTenant(tid)) return null
  if (!tenants.includes('*') && !tenants.includes(tid)) throw new UpstreamRefusal('tenant')
  return iss === MICROSOFT_TEMPLATE.replace('{tenantid}', tid) ? iss : null
}

/** The claims of an ID token whose issuer was the fault: openid-client has them in the cause. */
function claimsOfOtherIssuer(error: unknown): Record<string, unknown> | null {
  const found = chainOf(error).find(({ claim }) => claim === 'iss')
  return found === undefined ? null : (found.claims as Record<string, unknown>)
}

/** We are the only audience: another one could use the token here. */
function checkAudience({ client_id }: UpstreamSettings, { aud, azp }: IDToken): void {
  const is_only = Array.isArray(aud) ? aud.length === 1 && aud[0] === client_id : aud === client_id
  if (!is_only || (azp !== undefined && azp !== client_id)) throw new UpstreamRefusal('audience')
}

async function userInfo(config: Configuration, access_token: string, sub: string) {
  const { fetchUserInfo } = await load()
  try {
    return await fetchUserInfo(config, access_token, sub)
  } catch (error) {
    const refusal = refusalOf(error)
    const { code } = error as { code?: unknown }
    throw code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'
      ? new UpstreamRefusal('userinfo_subject', error)
      : refusal
  }
}

/** Groups are read of lists that are not longer: {@link UpstreamAnswer.groups} has one more then, which says so. */
export const MAX_GROUP_VALUES = 200

function answerOf(
  settings: UpstreamSettings,
  claims: Record<string, unknown>,
  params: URLSearchParams,
): UpstreamAnswer {
  const { issuer = '', groups } = settings
  const subject = textOf(claims.sub)
  if (subject === null || subject !== claims.sub) throw new UpstreamRefusal('subject')
  const email_verified = isVerified(issuer, claims)
  const names = isApple(issuer) ? appleNames(params) : claims
  return {
    issuer: isApple(issuer) ? APPLE_ISSUER : String(claims.iss),
    subject,
    // At Microsoft, the administrator of any tenant writes what is in it.
    email: isMicrosoft(issuer) && !email_verified ? null : textOf(claims.email),
    email_verified,
    hosted_domain: issuer === GOOGLE_ISSUER ? textOf(claims.hd) : null,
    preferred_username: textOf(claims.preferred_username),
    name: textOf(names.name),
    given_name: textOf(names.given_name),
    family_name: textOf(names.family_name),
    session: textOf(claims.sid),
    groups: groups === undefined ? null : groupsOf(claims[groups.claim]),
  }
}

/** Microsoft says by `xms_edov` that the tenant has proved to own the address's domain. Apple writes truth values as texts too. */
function isVerified(issuer: string, { email_verified, xms_edov }: Record<string, unknown>): boolean {
  if (isMicrosoft(issuer))
    return xms_edov === true || xms_edov === 1 || xms_edov === '1' || xms_edov === 'true'
  return email_verified === true || (isApple(issuer) && email_verified === 'true')
}

/** The first answer alone has them, in a field that the browser could change: they are names, and nothing else is read. */
function appleNames(params: URLSearchParams): Record<string, unknown> {
  try {
    const { name } = JSON.parse(params.get('user') ?? '') as {
      name?: { firstName?: unknown; lastName?: unknown }
    }
    const given_name = textOf(name?.firstName)
    const family_name = textOf(name?.lastName)
    const all = [given_name, family_name].filter((one) => one !== null)
    return { given_name, family_name, name: all.join(' ') }
  } catch {
    return {}
  }
}

function groupsOf(claim: unknown): string[] | null {
  const values = typeof claim === 'string' ? [claim] : claim
  if (!Array.isArray(values)) return null
  return values.slice(0, MAX_GROUP_VALUES + 1).filter((value) => typeof value === 'string')
}
