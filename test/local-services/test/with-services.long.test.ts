/** How the services are shared, where their data are, and what is left of them. */

import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fastTmp, publicTmp } from '../src/machine.ts'
import { answers, LAUNCHER, launch, SHOW, until } from './launched.ts'

const SHOW_IF_THROWN_AWAY = 'console.log("thrown away:", process.env.THROW_AWAY_DATABASES)'

describe('with-services', () => {
  it('ends the servers and removes their folders when it is killed', async () => {
    const wait = `${SHOW}; setInterval(() => {}, 1000)`
    const TMPDIR = mkdtempSync(join(tmpdir(), 'with-services-'))
    chmodSync(TMPDIR, 0o1777)
    const { launcher, lines } = launch([process.execPath, '-e', `console.log(process.pid); ${wait}`], {
      TMPDIR,
    })
    const folders = () => readdirSync(TMPDIR).filter((name) => /^ostiary-(postgres|redis)-/.test(name))
    await until(() => lines().length === 3)
    const [pid = '', database = '', redis = ''] = lines()
    try {
      expect([await answers(database), await answers(redis)]).toEqual([true, true])
      expect(folders()).toHaveLength(2)
      launcher.kill('SIGKILL')
      await until(async () => !(await answers(database)) && !(await answers(redis)))
      await until(() => folders().length === 0)
    } finally {
      process.kill(Number(pid))
      rmSync(TMPDIR, { recursive: true, force: true })
    }
  })

  it('starts only the requested service', async () => {
    const { ended, lines } = launch(['--only', 'postgres', process.execPath, '-e', SHOW])
    expect(await ended).toBe(0)
    expect(lines()).toEqual([expect.stringMatching(/^postgres:/)])
  })

  it('keeps the data on disk where it is asked to, and else in memory where there is enough', async () => {
    const show = `
      import postgres from 'postgres'
      const sql = postgres(process.env.DATABASE_URL)
      const [{ data_directory }] = await sql\`show data_directory\`
      console.log(data_directory)
      await sql.end()`
    const query = [process.execPath, '--input-type=module', '-e', show]
    const folderOf = async (...flags: string[]) => {
      const { ended, lines } = launch([...flags, '--only', 'postgres', ...query], { TMPDIR: '' })
      expect(await ended).toBe(0)
      return dirname(dirname(lines()[0] ?? ''))
    }
    expect(await folderOf('--on-disk')).toBe(publicTmp())
    expect(await folderOf()).toBe(fastTmp())
  })

  it('starts one PostgreSQL for all commands within a command, which itself gets no URL', async () => {
    const show = `"${process.execPath}" -e '${SHOW}'`
    const inner = `"${process.execPath}" "${LAUNCHER}" --only postgres ${show}`
    const script = `${show}; ${inner}; ${inner}; DATABASE_URL=postgres://a.example/b ${inner}`
    const { ended, lines } = launch(['--shared', 'sh', '-c', script])
    expect(await ended).toBe(0)
    // An empty line is not counted: the first two of the first command, and REDIS_URL.
    const [database = ''] = lines()
    expect(database).toMatch(/^postgres:\/\/postgres@127\.0\.0\.1:\d+\/postgres$/)
    expect(lines()).toEqual([database, database, 'postgres://a.example/b'])
    expect(await answers(database)).toBe(false)
  })

  it('says of a PostgreSQL that it has started, alone or shared, that the databases in it are thrown away', async () => {
    const show = `"${process.execPath}" -e '${SHOW_IF_THROWN_AWAY}'`
    const own = launch(['--only', 'postgres', 'sh', '-c', show])
    expect([await own.ended, own.lines()]).toEqual([0, ['thrown away: 1']])
    const inner = `"${process.execPath}" "${LAUNCHER}" --only postgres ${show}`
    const shared = launch(['--shared', 'sh', '-c', `${inner}; DATABASE_URL=postgres://a.example/b ${inner}`])
    expect([await shared.ended, shared.lines()]).toEqual([0, ['thrown away: 1', 'thrown away: undefined']])
  })
})
