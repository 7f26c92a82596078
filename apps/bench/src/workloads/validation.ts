/** A request to a protected resource that checks its bearer token. */

import { pathOf, type Workload, WrongAnswer } from './workload.js'

const validation = (title: string): Workload => ({
  title,
  requests: 1,
  signatures: 0,
  needs: ['protected'],
  async prepare(connection, _worker, { target }) {
    const path = pathOf(target, 'protected')
    const headers = { authorization: `Bearer ${target.access_token}` }
    return async () => {
      const answer = await connection.request(path, { headers })
      if (answer.status !== 200) throw new WrongAnswer(title, answer)
    }
  },
})

export const guard = validation('Guard validation')
export const jwks_validation = validation('Validation by JWKS')
