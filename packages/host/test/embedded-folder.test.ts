/** DATA_DIR is removed while the server runs: it is not ready, writes are refused, and the next start makes no new keys. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createApp, createLog } from '../src/index.ts'
import { configure, FILE, folder } from './support.ts'

it('DATA_DIR that is removed: /readyz and writes are 503, and the next start is refused', async () => {
  const data_dir = join(await folder(), 'data')
  const oidc = { clients: { registration: { enabled: true } } }
  const config = await configure({ ...FILE, oidc }, { DATA_DIR: data_dir })
  const log = createLog({ write: () => {} })
  const app = await createApp(config, { log })
  await app.start()
  const get = (path: string, init?: RequestInit) =>
    app.fetch(new Request(`http://localhost:4000${path}`, init))
  const register = () =>
    get('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['https://client.example.com/callback'] }),
    })
  expect((await register()).status).toBe(201)

  rmSync(data_dir, { recursive: true })
  const refused = await register()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  const readyz = await get('/readyz')
  expect([readyz.status, await readyz.json()]).toEqual([503, { status: 'unavailable', database: 'down' }])
  expect((await get('/healthz')).status).toBe(200)
  await app.stop()
  await expect(createApp(config, { log })).rejects.toThrow(
    'To begin with an empty database and new signing keys',
  )
})
