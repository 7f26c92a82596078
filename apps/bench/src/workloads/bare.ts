/** The bare server is asked for as many requests and signatures as an operation of a workload takes, and nothing else. */

import { type Workload, WrongAnswer } from './workload.js'

/** The last of the requests asks for all signatures. */
export function bareOf({ title, requests, signatures, es256_signatures = 0 }: Workload): Workload {
  return {
    title,
    requests,
    signatures,
    needs: [],
    async prepare(connection) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const body = new URLSearchParams({ grant_type: 'bare', filler: 'x'.repeat(120) }).toString()
      return async () => {
        for (let i = 1; i <= requests; i++) {
          const last = i === requests
          const signs = signatures + es256_signatures > 0
          const ask = last && signs ? { method: 'POST', headers, body } : {}
          const counts = es256_signatures > 0 ? `${signatures}/${es256_signatures}` : signatures
          const answer = await connection.request(`/sign/${last ? counts : 0}`, ask)
          if (answer.status !== 200) throw new WrongAnswer(title, answer)
        }
      }
    },
  }
}

/** The same bytes as another server's document. */
export function bytesOf({ title }: Workload): Workload {
  return {
    title,
    requests: 1,
    signatures: 0,
    needs: [],
    async prepare(connection) {
      return async () => {
        const answer = await connection.request('/bytes')
        if (answer.status !== 200 || answer.body === '') throw new WrongAnswer(title, answer)
      }
    },
  }
}
