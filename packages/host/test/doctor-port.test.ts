/** `doctor` and the port of the server: what it says when nothing is there. */

import { freePort } from '@ostiary/test-kit/ports'
import { expect, it } from 'vitest'
import { checkPort } from '../src/doctor/port.ts'
import { configure, FILE } from './support.ts'

it('a port on which nothing listens', async () => {
  const port = await freePort()
  const config = await configure(FILE, { PORT: String(port), HOST: '127.0.0.1' })
  expect(await checkPort(config)).toEqual({
    check: 'port',
    status: 'ok',
    message: `nothing listens on 127.0.0.1:${port}`,
  })
})
