/** A server on the Bun runtime. Arguments: the port, and the connection limits as JSON. */

import { bun } from '../src/runtime.ts'

const [port = '', limits = ''] = process.argv.slice(2)
await bun.listen(async () => new Response('here'), {
  port: Number(port),
  host: '127.0.0.1',
  shared: false,
  failed: () => {},
  limits: JSON.parse(limits),
})
process.stdout.write('listening\n')
