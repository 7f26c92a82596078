/** The bare server is asked for as many requests and signatures as an operation of a workload takes, and nothing else. */

import { type Workload, WrongAnswer } from './workload.js'

/** The last of the requests asks for all signatures. */
export function bareOf({ title, requests, signatures }: Workload): Workload {
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
          const ask = last && signatures > 0 ? { method: 'POST', headers, body } : {}
          const answer = await connection.request(`/sign/${last ? signatures : 0}`, ask)
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
