/** What a confidential client does for itself: client credentials and introspection. */

import type { Connection } from '../load/connection.js'
import { MACHINE, SCOPE, type Target } from '../target.js'
import {
  ES256_TOKENS,
  isAccessToken,
  parsed,
  pathOf,
  RS256_TOKENS,
  type TokenKind,
  tokenHeaders,
  type Workload,
  WrongAnswer,
} from './workload.js'

export async function clientCredentials(
  connection: Connection,
  target: Target,
  { headers = {}, ...fields }: { headers?: Record<string, string>; resource?: string; scope?: string } = {},
): Promise<unknown> {
  const form = { grant_type: 'client_credentials', ...MACHINE, ...fields }
  const answer = await connection.form(pathOf(target, 'token'), form, headers)
  const { access_token, token_type } = parsed('client credentials', answer)
  const type = 'dpop' in headers ? 'DPoP' : 'Bearer'
  if (answer.status !== 200 || token_type !== type) throw new WrongAnswer('client credentials', answer)
  return access_token
}

/** The resource that a signed access token is for. */
export const resourceOf = ({ resource }: Target): Record<string, string> =>
  resource === undefined ? {} : { resource }

const machineTokens = (kind: TokenKind): Pick<Workload, 'requests' | 'needs' | 'prepare'> => ({
  requests: 1,
  needs: ['token'],
  async prepare(connection, _worker, { target }) {
    const fields = { ...resourceOf(target), scope: SCOPE }
    const headers = tokenHeaders(target, kind)
    return async () => {
      const token = await clientCredentials(connection, target, { ...fields, headers: headers() })
      if (!isAccessToken(token, kind)) throw new Error(`no JWT of ${kind.alg} was issued`)
    }
  },
})

export const client_credentials: Workload = {
  title: 'Client credentials',
  signatures: 1,
  ...machineTokens(RS256_TOKENS),
}

const es256 = (end: keyof typeof ES256_TOKENS): Workload => ({
  title: `Client credentials, ${end}`,
  signatures: 0,
  es256_signatures: 1,
  ...machineTokens(ES256_TOKENS[end]),
})
export const client_credentials_es256 = es256('ES256')
export const client_credentials_dpop = es256('ES256 and DPoP')

export const introspection: Workload = {
  title: 'Introspection',
  requests: 1,
  signatures: 0,
  needs: ['token', 'introspect'],
  async prepare(connection, _worker, { target }) {
    const path = pathOf(target, 'introspect')
    // Without a resource: where access tokens for no resource are opaque, it is these that can be introspected.
    const token = await clientCredentials(connection, target)
    if (typeof token !== 'string') throw new Error('no access token was issued')
    return async () => {
      const answer = await connection.form(path, { ...MACHINE, token })
      if (answer.status !== 200 || parsed('introspection', answer).active !== true)
        throw new WrongAnswer('introspection', answer)
    }
  },
}
