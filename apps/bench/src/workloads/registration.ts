/** Dynamic client registration (RFC 7591). */

import { CALLBACK } from '../target.js'
import { parsed, pathOf, type Workload, WrongAnswer } from './workload.js'

const body = JSON.stringify({
  client_name: 'Registered',
  redirect_uris: [CALLBACK],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
})

export const registration: Workload = {
  title: 'Registration',
  requests: 1,
  signatures: 0,
  needs: ['register'],
  async prepare(connection, _worker, { target }) {
    const path = pathOf(target, 'register')
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    return async () => {
      const answer = await connection.request(path, init)
      const created = answer.status === 201 || answer.status === 200
      if (!created || typeof parsed('registration', answer).client_id !== 'string')
        throw new WrongAnswer('registration', answer)
    }
  },
}
