/** GitHub: OAuth 2.0 without an ID token. Who the user is comes from its API, by the access token of this one code. */

import type { Configuration } from 'openid-client'
import { GITHUB_ISSUER } from '../known.js'
import { UpstreamRefusal } from '../refusal.js'
import type { UpstreamSettings } from '../settings.js'
import { answerUrl, codeRequest, load } from './code-flow.js'
import { refusalOf } from './failure.js'
import { limitedFetch } from './limited-fetch.js'
import type { ProtocolOptions } from './oidc.js'
import { type Protocol, type RoundTrip, textOf, type UpstreamAnswer } from './trip.js'

const SERVER = {
  issuer: `${GITHUB_ISSUER}/login/oauth`,
  authorization_endpoint: `${GITHUB_ISSUER}/login/oauth/authorize`,
  token_endpoint: `${GITHUB_ISSUER}/login/oauth/access_token`,
}
const API = 'https://api.github.com'

export function githubProtocol(settings: UpstreamSettings, options: ProtocolOptions): Protocol {
  const { client_id, client_secret = '', scopes = [] } = settings
  async function configuration(): Promise<Configuration> {
    const openid = await load()
    const config = new openid.Configuration(SERVER, client_id, {}, openid.ClientSecretPost(client_secret))
    config[openid.customFetch] = (url, init) => limitedFetch(options.fetch)(url, init as RequestInit)
    return config
  }
  return {
    async authorizationUrl(trip, { login_hint }) {
      const { buildAuthorizationUrl } = await load()
      return buildAuthorizationUrl(await configuration(), {
        ...codeRequest(trip, ['read:user', 'user:email', ...scopes]),
        ...(login_hint !== null && { login: login_hint }),
      }).href
    },
    async answer(trip, params) {
      try {
        return await readUser(await configuration(), trip, params)
      } catch (error) {
        throw refusalOf(error)
      }
    },
    ended: null,
  }
}

async function readUser(
  config: Configuration,
  trip: RoundTrip,
  params: URLSearchParams,
): Promise<UpstreamAnswer> {
  const openid = await load()
  const { access_token } = await openid.authorizationCodeGrant(config, answerUrl(trip, params), {
    expectedState: trip.state,
    pkceCodeVerifier: trip.code_verifier,
  })
  const read = async (path: string): Promise<unknown> => {
    const headers = new Headers({ accept: 'application/vnd.github+json' })
    const response = await openid.fetchProtectedResource(
      config,
      access_token,
      new URL(path, API),
      'GET',
      null,
      headers,
    )
    if (response.status !== 200) throw new UpstreamRefusal('bad_response')
    return response.json()
  }
  const user = (await read('/user')) as Record<string, unknown>
  // A user name may be given to another person; the number never is.
  if (!Number.isSafeInteger(user.id) || Number(user.id) <= 0) throw new UpstreamRefusal('subject')
  const email = verifiedAddress(await read('/user/emails'))
  const login = textOf(user.login)
  return {
    issuer: GITHUB_ISSUER,
    subject: String(user.id),
    email,
    email_verified: email !== null,
    hosted_domain: null,
    preferred_username: login,
    name: textOf(user.name) ?? login,
    given_name: null,
    family_name: null,
    session: null,
    groups: null,
  }
}

/** The primary address, if GitHub has verified it. The public one of a profile is not read: it may be any. */
function verifiedAddress(addresses: unknown): string | null {
  if (!Array.isArray(addresses)) return null
  const primary = addresses.find((one) => one?.primary === true && one?.verified === true)
  return textOf(primary?.email)
}
