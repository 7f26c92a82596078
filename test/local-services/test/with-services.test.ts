import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { fastTmp, publicTmp } from '../src/machine.ts'

const LAUNCHER = fileURLToPath(new URL('../dist/with-services.js', import.meta.url))
const SHOW = 'console.log(process.env.DATABASE_URL); console.log(process.env.REDIS_URL)'
const SHOW_IF_THROWN_AWAY = 'console.log("thrown away:", process.env.THROW_AWAY_DATABASES)'

interface LaunchedCommand {
  launcher: ChildProcess
  /** What the command has printed so far. */
  lines: () => string[]
  /** The exit code. */
  ended: Promise<number | null>
}

function launch(args: string[], env: NodeJS.ProcessEnv = {}): LaunchedCommand {
  const unset = { DATABASE_URL: '', REDIS_URL: '', SHARED_DATABASE_URL: '' }
  const launcher = spawn(process.execPath, [LAUNCHER, ...args], { env: { ...process.env, ...unset, ...env } })
  let text = ''
  launcher.stdout.on('data', (chunk: Buffer) => {
    text += chunk
  })
  const ended = new Promise<number | null>((done) => launcher.once('close', done))
  return { launcher, ended, lines: () => text.split('\n').filter(Boolean) }
}

const answers = (url: string) =>
  new Promise<boolean>((done) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.destroy())
  })

async function until(what: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    if (await what()) return
    await new Promise((wake) => setTimeout(wake, 50))
  }
  throw new Error('it does not come')
}

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

  it('uses the servers that the environment names', async () => {
    const given = { DATABASE_URL: 'postgres://a.example/b', REDIS_URL: 'redis://c.example' }
    const { ended, lines } = launch([process.execPath, '-e', SHOW], given)
    expect(await ended).toBe(0)
    expect(lines()).toEqual(Object.values(given))
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
