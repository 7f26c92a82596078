/** The authorization request after its redirect target is known: RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1. */

import { parseDpopJkt } from '../dpop/jkt.js'
import { OAuthError } from '../http/errors.js'
import { MAX_STATE_LENGTH, type Params, refuseLong, refuseRepeated } from '../http/params.js'
import { type Realm, requestedAccess } from '../realm/realm.js'
import type { AuthorizationRequest, Client } from '../storage/storage.js'
import { parseUiLocales } from '../util/ui-locales.js'
import { isCodeChallenge, mayOmitPkce } from './pkce.js'

const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const
/** `create`: OpenID Connect Initiating User Registration 1.0 §4, where users sign up. */
export const promptsOf = (signs_up: boolean): readonly AuthorizationRequest['prompt'][number][] =>
  signs_up ? [...PROMPTS, 'create'] : PROMPTS

/** Characters. The client chooses the length of these parameters only; a pending request contains them. */
const MAX_LENGTHS = { state: MAX_STATE_LENGTH, nonce: 2048, acr_values: 2048 }

/** The part of the request that only its parameters determine; the caller verifies the hint and the redirect URI. */
export type ParsedRequest = Omit<AuthorizationRequest, 'redirect_uri' | 'redirect_uri_sent' | 'hinted_sub'>

export interface RequestSource {
  client: Client
  realm: Realm
  /** Whether the client has sent the request to the pushed authorization request endpoint (RFC 9126). */
  is_pushed: boolean
  /** Whether users sign up. */
  signs_up: boolean
}

/** @throws OAuthError for the first broken rule, in a fixed order. */
export function parseAuthorizationRequest(params: Params, source: RequestSource): ParsedRequest {
  const { client, realm, signs_up } = source
  refuseRepeated(params)
  refuseLong(params, MAX_LENGTHS)
  if (!client.grant_types.includes('authorization_code'))
    throw new OAuthError('unauthorized_client', 'This client may not use the authorization code grant')
  if (params.get('response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'The parameter response_type must be code')
  if ((params.get('response_mode') ?? 'query') !== 'query')
    throw new OAuthError(
      'invalid_request',
      'The parameter response_mode must be query',
      'unsupported_response_mode',
    )
  if (params.get('request') !== null)
    throw new OAuthError('request_not_supported', 'The parameter request is not supported')
  if (params.get('request_uri') !== null)
    throw new OAuthError('request_uri_not_supported', 'The parameter request_uri is not supported')
  checkPushed(params, source)
  const code_challenge = parsePkce(params, mayOmitPkce(client, realm.policy))
  const { scopes, resource } = requestedAccess(realm, client, params)
  const dpop_jkt = parseDpopJkt(params, realm.policy)
  const ui_locales = parseUiLocales(params.get('ui_locales'))
  const login_hint = usableLoginHint(params.get('login_hint'))
  return {
    client_id: client.client_id,
    state: params.exact('state'),
    scopes,
    resource,
    code_challenge,
    nonce: params.exact('nonce'),
    prompt: parsePrompt(params.get('prompt'), promptsOf(signs_up)),
    max_age: parseMaxAge(params.get('max_age')),
    acr_values: (params.get('acr_values') ?? '').split(/ +/).filter(Boolean),
    ...(ui_locales.length > 0 && { ui_locales }),
    ...(login_hint !== null && { login_hint }),
    ...(dpop_jkt !== null && { dpop_jkt }),
  }
}

/** RFC 9126 §4, §5. Detailed requests (RFC 9396 §5) are refused only where they can be pushed: before, they were ignored. */
function checkPushed(params: Params, { client, realm: { policy }, is_pushed }: RequestSource): void {
  if (is_pushed && params.get('authorization_details') !== null)
    throw new OAuthError('invalid_authorization_details', 'No type of authorization_details is supported')
  const must_push = policy.pushed === 'required' || client.require_pushed_authorization_requests === true
  if (!is_pushed && policy.pushed !== 'off' && must_push)
    throw new OAuthError(
      'invalid_request',
      'Push the parameters to the pushed_authorization_request_endpoint (RFC 9126), and send client_id and request_uri here',
      { reason: 'push_required' },
    )
}

/** Null: a client that may leave out PKCE has done so. A method without a challenge is a mistake, and not such a request. */
function parsePkce(params: Params, is_optional: boolean): string | null {
  const code_challenge = params.get('code_challenge')
  if (code_challenge === null && params.get('code_challenge_method') === null && is_optional) return null
  if (code_challenge === null)
    throw new OAuthError(
      'invalid_request',
      'PKCE is required: the parameter code_challenge is missing',
      'missing_code_challenge',
    )
  if (params.get('code_challenge_method') !== 'S256')
    throw new OAuthError(
      'invalid_request',
      'The parameter code_challenge_method must be S256',
      'unsupported_challenge_method',
    )
  if (!isCodeChallenge(code_challenge))
    throw new OAuthError(
      'invalid_request',
      'A code_challenge has 43 to 128 characters of A-Z a-z 0-9 - . _ ~',
      'malformed_code_challenge',
    )
  return code_challenge
}

function parsePrompt(
  value: string | null,
  allowed: readonly AuthorizationRequest['prompt'][number][],
): AuthorizationRequest['prompt'] {
  const values = [...new Set((value ?? '').split(/ +/).filter(Boolean))]
  const prompts = allowed.filter((known) => values.includes(known))
  if (prompts.length !== values.length)
    throw new OAuthError(
      'invalid_request',
      `The parameter prompt allows only ${allowed.slice(0, -1).join(', ')} and ${allowed.at(-1)}`,
      'invalid_prompt',
    )
  if (prompts.includes('none') && prompts.length > 1)
    throw new OAuthError(
      'invalid_request',
      'The prompt value none cannot be combined with another value',
      'invalid_prompt',
    )
  return prompts
}

type Prompts = Pick<AuthorizationRequest, 'prompt'>

/** Whether the request ends the session before its login; `select_account` has the same effect as `login`. */
export const endsSession = ({ prompt }: Prompts): boolean =>
  prompt.includes('login') || prompt.includes('select_account')

/** Whether the request requires a new login: that of a new account, for `create`. */
export const promptsLogin = (request: Prompts): boolean =>
  endsSession(request) || request.prompt.includes('create')

function parseMaxAge(value: string | null): number | null {
  if (value === null) return null
  if (!/^\d+$/.test(value))
    throw new OAuthError('invalid_request', 'max_age is a non-negative integer', 'invalid_max_age')
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER)
}

/** The longest email address has 320 characters. */
const MAX_LOGIN_HINT_LENGTH = 320

/** OpenID Connect Core §3.1.2.1: only a hint, so that a request with an unusable one is not refused. */
const usableLoginHint = (hint: string | null): string | null =>
  hint === null || hint.length > MAX_LOGIN_HINT_LENGTH || /\p{Cc}/u.test(hint) ? null : hint
