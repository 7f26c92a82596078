import { it } from 'vitest'
import { startApplication } from './application.ts'
import { goesWrong, walkThrough } from './walk.ts'

it('docs/frameworks/vue.md', async () => {
  const application = await startApplication({ page: 'vue', runs_in: 'browser' })
  await walkThrough(application)
  await goesWrong(application, {
    change: ['src/auth.ts', "    history.replaceState({}, '', '/')\n", ''],
    before: 'sign in and reload',
    shows: 'No matching state found in storage',
  })
})
