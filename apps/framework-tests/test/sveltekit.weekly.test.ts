import { it } from 'vitest'
import { startApplication } from './application.ts'
import { goesWrong, walkThrough } from './walk.ts'

it('docs/frameworks/sveltekit.md', async () => {
  const application = await startApplication({ page: 'sveltekit', runs_in: 'server' })
  await walkThrough(application)
  await goesWrong(application, {
    change: ['src/hooks.server.ts', "app = 'http://localhost", "app = 'http://127.0.0.1"],
    shows: 'The redirect_uri is not registered for this client',
  })
})
