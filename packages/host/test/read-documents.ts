/** Reads each document of the command line, in a process that has read its certificates at its start; prints what it got. */

import { guardedDocuments } from '../src/network/guarded-fetch.js'

const read = guardedDocuments({ allow_loopback_https: true })
for (const url of process.argv.slice(2)) {
  const outcome = await read(url, { max_bytes: 1000, accept: 'application/json' }).then(
    ({ status, body }) => [status, Buffer.from(body).toString()],
    ({ message }) => [message],
  )
  console.log(JSON.stringify(outcome))
}
