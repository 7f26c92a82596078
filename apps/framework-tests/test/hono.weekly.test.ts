import { it } from 'vitest'
import { startApplication } from './application.ts'
import { goesWrong, walkThrough } from './walk.ts'

it('docs/frameworks/hono.md', async () => {
  // The library refreshes after a fixed time. It does not look at the token.
  const env = { OIDC_AUTH_REFRESH_INTERVAL: '3' }
  const application = await startApplication({ page: 'hono', runs_in: 'server', env })
  await walkThrough(application)
  await goesWrong(application, {
    change: ['server.mjs', "notes.read'", "notes.read offline_access'"],
    shows: 'Invalid session',
  })
})
