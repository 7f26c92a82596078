/**
 * A process that trusts the certificate of a test's receiver (NODE_EXTRA_CA_CERTS). Arguments: `private_hosts` as JSON, the address that every
 * name resolves to, and URLs. For each it writes one line: the status, or the code of the failure.
 */

import { guardedFetch } from '../src/network/guarded-fetch.js'

const [private_hosts = '[]', address = '', ...urls] = process.argv.slice(2)
const fetch = guardedFetch({ private_hosts: JSON.parse(private_hosts), resolve: async () => [address] })
for (const url of urls) {
  const answer = await fetch(url, { method: 'POST', body: 'logout_token=x' }).then(
    ({ status }) => status,
    (error: Error) => error.message,
  )
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
