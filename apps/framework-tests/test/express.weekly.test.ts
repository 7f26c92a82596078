import { it } from 'vitest'
import { startApplication } from './application.ts'
import { goesWrong, walkThrough } from './walk.ts'

it('docs/frameworks/express.md, with express-openid-connect', async () => {
  const application = await startApplication({
    page: 'express',
    except: 'With openid-client',
    runs_in: 'server',
  })
  await walkThrough(application)
  await goesWrong(application, {
    change: ['server.mjs', "      response_type: 'code',\n", ''],
    shows: 'invalid response encountered',
  })
})

it('docs/frameworks/express.md, with openid-client', async () => {
  const application = await startApplication({
    page: 'express',
    except: 'With express-openid-connect',
    runs_in: 'server',
  })
  await walkThrough(application)
  await goesWrong(application, {
    change: ['server.mjs', "url = 'http://localhost", "url = 'http://127.0.0.1"],
    shows: 'The redirect_uri is not registered for this client',
  })
})
