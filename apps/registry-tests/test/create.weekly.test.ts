/**
 * `npm create ostiary@latest` from a registry, on a machine without anything, up to a signed-in browser; and what the pages of the
 * project advise then.
 */

import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { ownDatabase } from '@ostiary/test-kit/database'
import { describe, expect, it } from 'vitest'
import { ANN, created } from './project.ts'
import { authorize, redeemed, signedIn } from './walk.ts'

it('server: created, installed, started, signed in to; started again, the browser is still signed in', async () => {
  const { page, request, start, first, command } = await created('server')
  await first.stop()
  expect(first.output()).not.toMatch(/npm warn|"level":"warn"/)
  await start(command)
  await authorize(page, request)
  expect(await redeemed(page, request)).toMatchObject({ claims: ANN })
})

describe.each(['hono', 'express', 'next'])('%s', (template) => {
  it('created, installed, started, signed in to; moved to PostgreSQL as its POSTGRESQL.md says, and started twice', async () => {
    const { user, page, request, password, file, start, first, command } = await created(template)
    await expect(user.run(...command.split(' '))).rejects.toThrow(/in use|already running/)
    await first.stop()

    const advice = readFileSync(file('POSTGRESQL.md'), 'utf8')
    const [, install = ''] = /`(npm install @ostiary\/storage-postgres)`/.exec(advice) ?? []
    const [, storage = ''] = /^```ts\n([\s\S]+?)^```/m.exec(advice) ?? []
    await user.run(...install.split(' '))
    appendFileSync(file('.env'), `DATABASE_URL=${await ownDatabase()}\n`)
    writeFileSync(file('storage.ts'), storage)
    const { scripts } = JSON.parse(readFileSync(file('package.json'), 'utf8'))
    for (const script of ['typecheck', 'build'].filter((name) => name in scripts))
      await user.run('npm', 'run', script)

    const moved = await start('npm start')
    expect(await signedIn(page, request, password)).toMatchObject({ claims: ANN })
    await moved.stop()
    await start('npm start')
    await authorize(page, request)
    expect(await redeemed(page, request)).toMatchObject({ claims: ANN })
  })
})
