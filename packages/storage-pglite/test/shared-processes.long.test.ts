/** A server and commands as processes, which run the built package (`dist`): they are killed, and one of them stops. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { eventually } from '@ostiary/test-kit/eventually'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FolderInUseError, pgliteExecutor } from '../src/index.js'
import { socketOf } from '../src/socket/place.js'
import { connected, folderOfTest, rejection } from './_shared.js'

const PACKAGE = new URL('../dist/index.js', import.meta.url).href
/** Bun's package has a wrapper that does not forward signals. */
const BUN = join(dirname(createRequire(import.meta.url).resolve('bun/package.json')), 'bin/bun.exe')

interface Child {
  process: ChildProcess
  lines(): string[]
  ended: Promise<unknown>
}

interface Start {
  folder: string
  socket: string
  program?: string
  env?: Record<string, string>
}

function run(script: string, { folder, socket, program = process.execPath, env = {} }: Start): Child {
  const open = `import { pgliteExecutor } from '${PACKAGE}'
    const executor = await pgliteExecutor(process.argv.at(-1), { socket: '${socket}' })\n`
  const child = spawn(
    program,
    [...(program === BUN ? [] : ['--input-type=module']), '-e', open + script, folder],
    { env: { ...process.env, ...env } },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk
    })
  return { process: child, ended: once(child, 'close'), lines: () => text.split('\n').filter(Boolean) }
}

/** A process that listens until it is told to stop. */
async function server(folder: string, program = process.execPath): Promise<Child> {
  const child = run(
    `await executor.query('create table if not exists notes (n int)')
    const alive = setInterval(() => {}, 1000)
    process.on('SIGTERM', async () => { clearInterval(alive); await executor.close(); console.log('closed') })
    console.log('listens')`,
    { folder, socket: 'listen', program },
  )
  await eventually(() => expect(child.lines()).toEqual(['listens']))
  return child
}

const CONNECT_IDLE = `const idle = createConnection(process.argv.at(-1) + '.sock')
  await new Promise((resolve) => idle.once('connect', resolve))
  idle.unref()`

const NOTES = 'select n from notes'

describe.each([
  ['Node', process.execPath],
  ['Bun', BUN],
])('a server on %s', (_name, program) => {
  it('answers commands on Node and Bun, and ends with its socket', async () => {
    const folder = folderOfTest()
    const owner = await server(folder, program)
    expect(lstatSync(socketOf(folder)).mode & 0o777).toBe(0o600)
    const command = await connected(folder)
    await command.transaction((tx) => tx.query('insert into notes values (1)'))
    const work = `await executor.transaction((tx) => tx.query('insert into notes values (2)'))
      console.log(JSON.stringify(await executor.query("select repeat('x', 5000000) as x, (select count(*)::int from notes) as n")).length)
      await executor.close()`
    for (const runs of [process.execPath, BUN]) {
      const child = run(work, { folder, socket: 'connect', program: runs })
      await child.ended
      expect(child.lines()).toEqual([`${5_000_000 + JSON.stringify([{ x: '', n: 9 }]).length}`])
    }
    expect(await command.query(NOTES)).toEqual([{ n: 1 }, { n: 2 }, { n: 2 }])
    owner.process.kill('SIGTERM')
    await owner.ended
    expect(owner.lines()).toEqual(['listens', 'closed'])
    expect(existsSync(socketOf(folder))).toBe(false)
    await expect(command.query(NOTES)).rejects.toThrow('has stopped or does not answer')
  })

  it('goes on when a command is killed between two statements of its transaction, which is rolled back', async () => {
    const folder = folderOfTest()
    await server(folder, program)
    const killed = run(
      `await executor.transaction(async (tx) => {
        await tx.query('insert into notes values (1)')
        console.log('open')
        await new Promise(() => setInterval(() => {}, 1_000))
      })`,
      { folder, socket: 'connect' },
    )
    await eventually(() => expect(killed.lines()).toEqual(['open']))
    const command = await connected(folder)
    const waiting = command.query(NOTES)
    killed.process.kill('SIGKILL')
    expect(await waiting).toEqual([])
    await command.query('insert into notes values (3)')
    expect(await command.query(NOTES)).toEqual([{ n: 3 }])
  })

  it('that was killed leaves a socket: the next server replaces it', async () => {
    const folder = folderOfTest()
    const owner = await server(folder, program)
    const command = await connected(folder)
    await command.query('insert into notes values (4)')
    owner.process.kill('SIGKILL')
    await owner.ended
    await expect(command.query(NOTES)).rejects.toThrow('has stopped or does not answer')
    expect(existsSync(socketOf(folder))).toBe(true)
    // No process has the lock: the command opens the database itself, and does not listen.
    const alone = await pgliteExecutor(folder, { socket: 'connect' })
    expect(await alone.query(NOTES)).toEqual([{ n: 4 }])
    const beside = await rejection(pgliteExecutor(folder, { socket: 'connect' }))
    expect(beside).toBeInstanceOf(FolderInUseError)
    expect(beside).toMatchObject({
      message: expect.stringContaining('.sock does not lead to it (ECONNREFUSED)'),
    })
    await alone.close()
    await server(folder, program)
    expect(await (await connected(folder)).query(NOTES)).toEqual([{ n: 4 }])
  })
})

describe('a process', () => {
  it('is not kept alive by its socket, nor by a connection that nobody uses', async () => {
    /** What keeps the process alive: more where `more` opens something that does. */
    const alive = async (socket: string, more = '') => {
      const folder = folderOfTest()
      const child = run(
        `const { createConnection, createServer } = await import('node:net')
        ${socket === 'listen' ? CONNECT_IDLE : ''}
        ${more}
        // The other end of a connection is there after a turn of the event loop.
        for (let turns = 0; turns < 100; turns += 1) await new Promise((resolve) => setImmediate(resolve))
        console.log(process.getActiveResourcesInfo().filter((name) => /Pipe|Connect|Server/.test(name)).length)
        await executor.close()
        process.exit(0)`,
        { folder, socket },
      )
      await child.ended
      return Number(child.lines().join())
    }
    const alone = await alive('')
    expect(await alive('listen')).toBe(alone)
    const other = `const other = createServer().listen(process.argv.at(-1) + '.other')
        await new Promise((resolve) => other.once('listening', resolve))`
    expect(await alive('', other)).toBe(alone + 1)
  })

  it('that connects ends without a close', async () => {
    const folder = folderOfTest()
    await server(folder)
    const command = run(`console.log((await executor.query('select 1 as n'))[0].n)`, {
      folder,
      socket: 'connect',
    })
    await command.ended
    expect(command.lines()).toEqual(['1'])
    expect(command.process.exitCode).toBe(0)
  })

  it('that connects loads nothing of PGlite and of storage-postgres; one that opens the database loads PGlite', async () => {
    const folder = folderOfTest()
    const file = `${folder}.loaded`
    const hooks = `import { appendFileSync } from 'node:fs'
      export function load(url, context, next) {
        appendFileSync(${JSON.stringify(file)}, url + '\\n')
        return next(url, context)
      }`
    const preload = `import { register } from 'node:module'
      register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}))`
    const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(preload)}` }
    const loaded = async (socket: string) => {
      writeFileSync(file, '')
      const child = run(`await executor.query('select 1'); await executor.close()`, { folder, socket, env })
      await child.ended
      expect(child.lines()).toEqual([])
      const urls = readFileSync(file, 'utf8').split('\n')
      expect(urls).toContain(PACKAGE)
      return ['@electric-sql/pglite', 'storage-postgres'].filter((name) =>
        urls.some((url) => url.includes(`/${name}/`)),
      )
    }
    expect(await loaded('connect')).toEqual(['@electric-sql/pglite'])
    await server(folder)
    expect(await loaded('connect')).toEqual([])
  })
})
