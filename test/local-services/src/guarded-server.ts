/** Servers that end with this process, even after `kill -9`. */

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publicTmp } from './machine.js'
import { freePort } from './ports.js'

export interface ServerCommand {
  name: string
  file: string
  args: (port: number) => string[]
  /** What the server logs once it takes connections. */
  ready: RegExp
  /** Removed when the server was stopped, also by the end of this process. */
  folder: string
  options?: Pick<SpawnOptions, 'env' | 'uid' | 'gid'>
  /** What ends the server; INT when absent. */
  signal?: 'INT' | 'TERM'
}

export interface RunningServer {
  port: number
  /** Ends the server; its port and its folder wait for `resume`. */
  pause(): Promise<void>
  /** Ends the server with SIGKILL; its port and its folder wait for `resume`. Not on Windows. */
  kill(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

/** A busy machine is many times slower. */
const START_LIMIT = 300_000

/** This file marks a paused server's folder, which is kept. */
const PAUSED = 'paused'
/** This file holds the id of the server's process. */
const PID = 'pid'
/** This file says that the server was told to stop. A server that ends by itself leaves its folder: it may start again. */
const STOPPED = 'stopped'

/**
 * A shell holds the read end of a pipe that only this process can write to. At its end of file, which comes even
 * after `kill -9`, the shell stops the server; afterwards it removes the folder. It leads a session of its own, so
 * that Ctrl-C reaches us first and the server outlives our own shutdown.
 * The watcher must name its input: a shell gives a background command /dev/null for stdin.
 */
const GUARD = `folder=$1; signal=$2; shift 2
exec 3<&0 </dev/null
"$@" 3<&- & server=$!
echo $server > "$folder/${PID}"
{ cat <&3; touch "$folder/${STOPPED}"; while kill -$signal $server; do sleep 1; done; } >/dev/null 2>&1 &
exec 3<&-
wait $server; status=$?
[ ! -e "$folder/${STOPPED}" ] || [ -e "$folder/${PAUSED}" ] || rm -rf "$folder"
exit $status`

/** If another process takes the free port first, another port is tried. */
export async function startServer(command: ServerCommand): Promise<RunningServer> {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort()
    const server = spawnGuarded(command, port)
    try {
      await untilReady(server, command)
      return { port, ...controls(command, { server, port }) }
    } catch (error) {
      await end(server)
      if (tries === 3 || !/address already in use/i.test(String(error))) throw error
    }
  }
}

function controls(
  command: ServerCommand,
  running: { server: ChildProcess; port: number },
): Omit<RunningServer, 'port'> {
  const { port } = running
  let { server } = running
  const paused = join(command.folder, PAUSED)
  const stopped = join(command.folder, STOPPED)
  return {
    async pause() {
      writeFileSync(paused, '')
      await end(server)
    },
    async kill() {
      writeFileSync(paused, '')
      const ended = new Promise<void>((done) => server.once('exit', () => done()))
      process.kill(Number(readFileSync(join(command.folder, PID), 'utf8')), 'SIGKILL')
      await ended
      // The watcher has no server left to stop.
      server.stdin?.end()
    },
    async resume() {
      rmSync(stopped, { force: true })
      server = spawnGuarded(command, port)
      await untilReady(server, command)
      rmSync(paused)
    },
    async stop() {
      await end(server)
      // The watcher left it there when the server was paused.
      rmSync(command.folder, { recursive: true, force: true })
    },
  }
}

function spawnGuarded(
  { file, args, folder, options, signal = 'INT' }: ServerCommand,
  port: number,
): ChildProcess {
  const common: SpawnOptions = { cwd: publicTmp(), stdio: ['pipe', 'pipe', 'pipe'], ...options }
  if (process.platform === 'win32') return spawn(file, args(port), common)
  return spawn('/bin/sh', ['-c', GUARD, 'sh', folder, signal, file, ...args(port)], {
    ...common,
    detached: true,
  })
}

function untilReady(server: ChildProcess, { name, ready }: ServerCommand): Promise<void> {
  return new Promise((done, failed) => {
    let log = ''
    const fail = (why: string) => failed(new Error(`${name} ${why}\n${log}`))
    const limit = setTimeout(() => fail(`does not get ready within ${START_LIMIT} ms`), START_LIMIT)
    // Reads to the end: a server stops when the pipe of its log is full.
    const read = (chunk: Buffer) => {
      log = (log + chunk).slice(-8000)
      if (!ready.test(log)) return
      clearTimeout(limit)
      done()
    }
    server.stdout?.on('data', read)
    server.stderr?.on('data', read)
    server.once('error', (error) => fail(`cannot be started: ${error.message}`))
    server.once('exit', (code) => {
      clearTimeout(limit)
      fail(`has ended with ${code}`)
    })
  })
}

function end(server: ChildProcess): Promise<void> {
  const over = server.pid === undefined || server.exitCode !== null || server.signalCode !== null
  if (over) return Promise.resolve()
  const ended = new Promise<void>((done) => server.once('exit', () => done()))
  if (process.platform === 'win32') server.kill()
  else server.stdin?.end()
  return ended
}
