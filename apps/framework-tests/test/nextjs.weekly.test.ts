import { it } from 'vitest'
import { startApplication } from './application.ts'
import { goesWrong, walkThrough } from './walk.ts'

it('docs/frameworks/nextjs.md', async () => {
  const application = await startApplication({ page: 'nextjs', runs_in: 'server' })
  await walkThrough(application)
  await goesWrong(application, {
    change: ['.env.local', 'AUTH_URL', 'AUTH_HOST'],
    shows: 'There is a problem with the server configuration',
  })
})
