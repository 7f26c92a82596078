/** Documents that any client may read: discovery and JWKS. */

import { parsed, pathOf, type Workload, WrongAnswer } from './workload.js'

function document(endpoint: 'discovery' | 'jwks', title: string, member: string): Workload {
  return {
    title,
    requests: 1,
    signatures: 0,
    needs: [endpoint],
    async prepare(connection, _worker, { target }) {
      const path = pathOf(target, endpoint)
      const first = await connection.request(path)
      if (!(member in parsed(title, first))) throw new WrongAnswer(title, first)
      return async () => {
        const answer = await connection.request(path)
        if (answer.status !== 200 || answer.body.length !== first.body.length)
          throw new WrongAnswer(title, answer)
      }
    },
  }
}

export const discovery = document('discovery', 'Discovery', 'token_endpoint')
export const jwks = document('jwks', 'JWKS', 'keys')
