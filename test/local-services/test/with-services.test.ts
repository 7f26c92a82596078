import { describe, expect, it } from 'vitest'
import { answers, launch, SHOW } from './launched.ts'

describe('with-services', () => {
  it('gives the command both servers, returns its exit code, and ends them', async () => {
    const check = `${SHOW}; process.exitCode = 7`
    const { ended, lines } = launch([process.execPath, '-e', check])
    expect(await ended).toBe(7)
    const [database = '', redis = ''] = lines()
    expect(database).toMatch(/^postgres:\/\/postgres@127\.0\.0\.1:\d+\/postgres$/)
    expect(redis).toMatch(/^redis:\/\/127\.0\.0\.1:\d+$/)
    expect([await answers(database), await answers(redis)]).toEqual([false, false])
  })

  it('uses the servers that the environment names', async () => {
    const given = { DATABASE_URL: 'postgres://a.example/b', REDIS_URL: 'redis://c.example' }
    const { ended, lines } = launch([process.execPath, '-e', SHOW], given)
    expect(await ended).toBe(0)
    expect(lines()).toEqual(Object.values(given))
  })

  it.each([
    [[]],
    [['--shared']],
    [['--on-disk']],
    [['--on-disk', '--shared']],
    [['--only', 'mysql', 'true']],
    [['--only', 'redis']],
    [['no-such-command']],
  ])('fails with %j', async (args) => {
    const urls = { DATABASE_URL: 'postgres://a.example/b', REDIS_URL: 'redis://c.example' }
    expect(await launch(args, urls).ended).toBe(1)
  })
})
