import { it } from 'vitest'
import { startApplication } from './application.ts'
import { goesWrong, walkThrough } from './walk.ts'

it('docs/frameworks/react.md', async () => {
  const application = await startApplication({ page: 'react', runs_in: 'browser' })
  await walkThrough(application)
  await goesWrong(application, {
    change: ['src/main.tsx', "history.replaceState({}, '', '/')", '{}'],
    before: 'sign in and reload',
    shows: 'No matching state found in storage',
  })
})
