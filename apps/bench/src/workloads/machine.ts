/** What a confidential client does for itself: client credentials and introspection. */

import type { Connection } from '../load/connection.js'
import { MACHINE, SCOPE, type Target } from '../target.js'
import { isJwt, parsed, pathOf, type Workload, WrongAnswer } from './workload.js'

export async function clientCredentials(
  connection: Connection,
  target: Target,
  fields: Record<string, string> = {},
): Promise<unknown> {
  const form = { grant_type: 'client_credentials', ...MACHINE, ...fields }
  const answer = await connection.form(pathOf(target, 'token'), form)
  if (answer.status !== 200) throw new WrongAnswer('client credentials', answer)
  return parsed('client credentials', answer).access_token
}

/** The resource that a signed access token is for. */
export const resourceOf = ({ resource }: Target): Record<string, string> =>
  resource === undefined ? {} : { resource }

export const client_credentials: Workload = {
  title: 'Client credentials',
  requests: 1,
  signatures: 1,
  needs: ['token'],
  async prepare(connection, _worker, { target }) {
    const fields = { ...resourceOf(target), scope: SCOPE }
    return async () => {
      if (!isJwt(await clientCredentials(connection, target, fields))) throw new Error('no JWT was issued')
    }
  },
}

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
