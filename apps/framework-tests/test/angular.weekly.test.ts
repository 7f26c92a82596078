import { it } from 'vitest'
import { startApplication } from './application.ts'
import { goesWrong, walkThrough } from './walk.ts'

it('docs/frameworks/angular.md', async () => {
  const application = await startApplication({ page: 'angular', runs_in: 'browser' })
  await walkThrough(application)
  await goesWrong(application, {
    change: ['src/app/app.config.ts', 'origin}/`,\n  postLogout', 'origin}`,\n  postLogout'],
    shows: 'The redirect_uri is not registered for this client',
  })
})
