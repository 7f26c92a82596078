/** A server on the Bun runtime. Arguments: the port, and the connection limits as JSON. It prints when an endless answer is closed. */

import { endless } from '../../../test/kit/src/endless.ts'
import { bun } from '../src/runtime.ts'

const [port = '', limits = ''] = process.argv.slice(2)
const closed = () => void process.stdout.write('closed\n')
const answer = ({ url }: Request) => (url.endsWith('/endless') ? endless(closed) : new Response('here'))
await bun.listen(async (request) => answer(request), {
  port: Number(port),
  host: '127.0.0.1',
  shared: false,
  failed: () => {},
  limits: JSON.parse(limits),
})
process.stdout.write('listening\n')
