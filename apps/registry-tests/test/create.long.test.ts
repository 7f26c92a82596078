/** `npm create ostiary@latest` from a registry, on a machine without anything, up to a signed-in browser. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@ostiary/test-kit/ports'
import { expect, it } from 'vitest'
import { application, authorize, newUser, openBrowser, redeemed, signedIn } from './walk.ts'

it.each(['server'])('%s: created, installed, started, signed in to, started again', async (template) => {
  const user = await newUser()
  const { page, faults } = await openBrowser()
  const [app, port] = [await application(), await freePort()]
  const issuer = `http://localhost:${port}`
  const request = { issuer, client_id: 'app', redirect_uri: `${app}/callback` }
  const begun = performance.now()

  const options = ['--template', template, '--client-url', app, '--port', `${port}`]
  await user.run('npm', 'create', 'ostiary@latest', 'my-id', '--', ...options)
  user.place = { ...user.place, cwd: join(user.place.cwd, 'my-id') }
  user.steps.push('cd my-id')
  await user.run('npm', 'install')
  const first = await user.start(['npm', 'start'], `${issuer}/.well-known/openid-configuration`)
  const [, password = ''] = /^ANN_PASSWORD=(.*)$/m.exec(
    readFileSync(join(user.place.cwd, '.env'), 'utf8'),
  ) ?? ['']
  user.steps.push('open the application, sign in as ann, allow')
  expect(await signedIn(page, request, password)).toMatchObject({ aud: 'app', name: 'Ann Example' })
  const seconds = (performance.now() - begun) / 1000
  console.log(
    `${template}: ${seconds.toFixed(1)} s, ${user.steps.length} steps\n  ${user.steps.join('\n  ')}`,
  )
  expect(faults).toEqual([])
  await first.stop()
  expect(first.output()).not.toMatch(/warn/i)

  await user.start(['npm', 'start'], `${issuer}/.well-known/openid-configuration`)
  await authorize(page, request)
  expect(await redeemed(page, request)).toMatchObject({ aud: 'app', name: 'Ann Example' })
})
