/** The socket as a file: who can open it, what it replaces, and what a command does not follow. */

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FolderInUseError, pgliteExecutor } from '../src/index.js'
import { connectBeside } from '../src/socket/connect.js'
import { encode } from '../src/socket/messages.js'
import { bindBeside, placeFault, socketFault, socketOf } from '../src/socket/place.js'
import { HELLO } from '../src/socket/protocol.js'
import { folderOfTest, rejection } from './_shared.js'

/** A process that has the socket, and answers as it likes. */
async function other(folder: string, answer: (socket: Socket) => void): Promise<() => void> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    answer(socket)
  })
  const remove = await bindBeside(folder, server)
  onTestFinished(() => void server.close())
  return remove
}

const IN_USE = (folder: string) =>
  new FolderInUseError({ folder, file: `${folder}.lock`, owner: 'process 7 on a.example, since today' })

const refused = async (folder: string, limits?: Parameters<typeof connectBeside>[2]): Promise<string> => {
  const error = await rejection(connectBeside(folder, IN_USE(folder), limits))
  expect(error).toBeInstanceOf(FolderInUseError)
  return (error as Error).message
}

describe('the socket of the owner', () => {
  it('is open to its own user alone, from the first moment on, whatever the umask', async () => {
    const folder = folderOfTest()
    const server: Server = createServer()
    onTestFinished(() => void server.close())
    let when_made: unknown
    server.once('listening', () => {
      when_made = { folder: lstatSync(`${folder}.new`).mode & 0o777, is_named: existsSync(socketOf(folder)) }
    })
    const remove = await bindBeside(folder, server)
    expect(when_made).toEqual({ folder: 0o700, is_named: false })
    expect(lstatSync(socketOf(folder)).mode & 0o777).toBe(0o600)
    expect(readdirSync(dirname(folder))).toEqual(['data.sock'])
    remove()
    expect(existsSync(socketOf(folder))).toBe(false)
  })

  it('another user cannot connect', async () => {
    const folder = folderOfTest()
    chmodSync(dirname(folder), 0o777)
    await other(folder, (socket) => socket.end())
    const attempt = `require('node:net').connect(process.argv[1]).on('connect', () => process.exit(9)).on('error', (e) => { console.log(e.code); process.exit(0) })`
    const user = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    // Who is not root cannot become another user: then the mode is taken away, as it is for others.
    if (!('uid' in user)) chmodSync(socketOf(folder), 0)
    const { stdout } = spawnSync(process.execPath, ['-e', attempt, socketOf(folder)], {
      ...user,
      cwd: '/',
      encoding: 'utf8',
    })
    expect(stdout.trim()).toBe('EACCES')
  })

  it('replaces one that a dead process has left, and removes only its own', async () => {
    const folder = folderOfTest()
    const first = await other(folder, (socket) => socket.end())
    const before = lstatSync(socketOf(folder)).ino
    const remove = await other(folder, (socket) => socket.end())
    expect(lstatSync(socketOf(folder)).ino).not.toBe(before)
    first()
    expect(existsSync(socketOf(folder))).toBe(true)
    remove()
    remove()
    expect(existsSync(socketOf(folder))).toBe(false)
  })

  it('replaces neither a file nor a link, and follows no link: the server has no socket then', async () => {
    const folder = folderOfTest()
    const aim = join(dirname(folder), 'aim')
    mkdirSync(aim)
    writeFileSync(socketOf(folder), 'a file')
    await expect(bindBeside(folder, createServer())).rejects.toThrow('is not a socket')
    rmSync(socketOf(folder))
    symlinkSync(join(aim, 'elsewhere'), socketOf(folder))
    symlinkSync(aim, `${folder}.new`)
    const executor = await pgliteExecutor(folder, { socket: 'listen' })
    expect(await executor.query('select 1 as n')).toEqual([{ n: 1 }])
    expect(lstatSync(socketOf(folder)).isSymbolicLink()).toBe(true)
    expect(readdirSync(aim)).toEqual([])
    const command = await rejection(pgliteExecutor(folder, { socket: 'connect' }))
    expect(command).toMatchObject({
      message: expect.stringMatching(
        /cannot reach it: .*\.sock is not a socket\. Stop that process, or set DATABASE_URL.*remove .*\.lock/,
      ),
    })
    await executor.close()
    expect(lstatSync(socketOf(folder)).isSymbolicLink()).toBe(true)
  })

  it('has a path that the system takes: a longer one is cut off nowhere, and the server starts without it', async () => {
    const parent = dirname(folderOfTest())
    const longest = process.platform === 'linux' ? 107 : 103
    const named = (bytes: number) => join(parent, 'x'.repeat(bytes - parent.length - '/.new/s'.length))
    expect(placeFault(named(longest))).toBe(null)
    const remove = await other(named(longest), (socket) => socket.end())
    remove()
    const folder = named(longest + 1)
    expect(placeFault(folder)).toBe('the path of the folder is too long for a socket beside it, by 1 bytes')
    const executor = await pgliteExecutor(folder, { socket: 'listen' })
    onTestFinished(() => executor.close())
    expect(readdirSync(parent).filter((name) => /sock|\.new/.test(name))).toEqual([])
    await expect(pgliteExecutor(folder, { socket: 'connect' })).rejects.toThrow(
      'too long for a socket beside it, by 1 bytes',
    )
  })

  it('fails where nothing can be made, and the server starts without it', async () => {
    const folder = folderOfTest()
    await (await pgliteExecutor(folder)).close()
    writeFileSync(`${folder}.new`, '')
    mkdirSync(socketOf(folder))
    const executor = await pgliteExecutor(folder, { socket: 'listen' })
    expect(await executor.query('select 1 as n')).toEqual([{ n: 1 }])
    await executor.close()
  })
})

describe('a command', () => {
  it('says that there is no socket, or that nobody listens', async () => {
    const folder = folderOfTest()
    expect(await refused(folder)).toContain(`it does not listen at ${folder}.sock. Stop that process`)
    const left = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', left, socketOf(folder)])
    expect(await refused(folder)).toContain('.sock does not lead to it (ECONNREFUSED). Stop that process')
  })

  it('does not connect to the socket of another user', async () => {
    const folder = folderOfTest()
    mkdirSync(folder)
    let asked = 0
    await other(folder, () => {
      asked += 1
    })
    const uid = process.geteuid?.()
    onTestFinished(() => {
      process.geteuid = () => uid ?? 0
    })
    // This process is another user than the one who has made it: who is not root cannot give a file away.
    process.geteuid = () => 1234
    expect(await refused(folder)).toContain('.sock belongs to another user')
    expect(asked).toBe(0)
  })

  it.each([{ protocol: 2 }, { schema: 'another' }])(
    'of another release than the server is refused: %o',
    async (release) => {
      const folder = folderOfTest()
      await other(folder, (socket) => socket.write(encode({ ...HELLO, ...release })))
      expect(await refused(folder)).toBe(
        `${folder} is in use by process 7 on a.example, since today. It is another release: stop it, or use its own ostiary.`,
      )
    },
  )

  it.each([
    ['nothing', () => {}],
    ['the end of the connection', (socket: Socket) => socket.end()],
    ['what is no hello', (socket: Socket) => socket.write(encode({ rows: [] }))],
    ['what is no message', (socket: Socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ])('is refused when %s comes from the socket', async (_name, answer) => {
    const folder = folderOfTest()
    await other(folder, answer)
    expect(await refused(folder, { hello_ms: 300, answer_ms: 300 })).toContain(
      '.sock does not lead to it (no answer)',
    )
  })

  it('waits for no answer for ever', async () => {
    const folder = folderOfTest()
    await other(folder, (socket) => socket.write(encode(HELLO)))
    const executor = await connectBeside(folder, IN_USE(folder), { hello_ms: 60_000, answer_ms: 300 })
    onTestFinished(() => executor.close())
    await expect(executor.query('select 1')).rejects.toThrow(
      'process 7 on a.example, since today, has stopped or does not answer',
    )
  })
})

it('leaves require() as it was: the links of packages are followed after a look at a socket, and after the removal of one', async () => {
  const folder = folderOfTest()
  const [real, linked] = [`${folder}-real`, `${folder}-app/node_modules`]
  for (const name of ['one', 'two', 'three', 'four']) {
    mkdirSync(join(real, name), { recursive: true })
    mkdirSync(linked, { recursive: true })
    writeFileSync(join(real, name, 'index.js'), 'module.exports = __filename')
    symlinkSync(join(real, name), join(linked, name))
  }
  // By numbers: the test before may have looked at a socket.
  lstatSync(real)
  const real_folder = realpathSync(real)
  const load = createRequire(join(linked, '../main.js'))
  // From here on, Node knows the folders on the way.
  expect(load('one')).toBe(`${real_folder}/one/index.js`)
  await other(folder, () => {})
  expect(load('two')).toBe(`${real_folder}/two/index.js`)
  expect(socketFault(folder)).toBeNull()
  expect(load('three')).toBe(`${real_folder}/three/index.js`)
  writeFileSync(socketOf(`${folder}2`), 'a file')
  await expect(bindBeside(`${folder}2`, createServer())).rejects.toThrow('is not a socket')
  expect(load('four')).toBe(`${real_folder}/four/index.js`)
})
