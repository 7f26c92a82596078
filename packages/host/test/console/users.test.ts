/** The form that changes a user. */

import { createUser } from '@ostiary/identity'
import { expect, it } from 'vitest'
import { consoleServer } from './_console.ts'

it('a group that was stored with spaces stays when another one is added', async () => {
  const server = await consoleServer()
  const { users } = server
  await createUser(users, { username: 'bob', sub: 'bob-1', groups: [' staff '] })
  const { browser } = await server.signedIn(await server.administrator('ann'))
  const form = await browser.send('/admin/realms/default/users/bob-1/edit')
  const fields = { username: 'bob', name: '', email: '', groups: ' staff \r\n new ' }
  expect((await browser.post(form, fields)).status).toBe(303)
  expect((await users.find('bob-1'))?.groups).toEqual([' staff ', 'new'])
})
