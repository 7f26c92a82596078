/** Connections that are silent, that do not read, or that send many requests at once; the limits are short here. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CleanUp } from '@ostiary/test-kit/database'
import { endless } from '@ostiary/test-kit/endless'
import { freePort } from '@ostiary/test-kit/ports'
import { inject, it } from 'vitest'
import { node } from '../../node-server/src/runtime.ts'

/** Longer than a busy machine takes to send and to answer; the connections wait for them at the same time. */
const LIMITS = { head_ms: 5000, idle_ms: 5000, unread_ms: 5000 }

/** @param closed Called when the connection of an endless answer is closed. */
async function listen(addCleanup: CleanUp, closed = () => {}): Promise<number> {
  const port = await freePort()
  if (inject('server') === 'bun') await onBun(port, addCleanup, closed)
  else {
    const options = { port, host: '127.0.0.1', shared: false, failed: () => {}, limits: LIMITS }
    const answer = ({ url }: Request) => (url.endsWith('/endless') ? endless(closed) : new Response('here'))
    const listener = await node.listen(async (request) => answer(request), options)
    addCleanup(() => listener.cut())
  }
  return port
}

/** Bun needs a process: apps/bun-server/test/idle-server.ts. */
async function onBun(port: number, addCleanup: CleanUp, closed: () => void): Promise<void> {
  const bun = join(dirname(createRequire(import.meta.url).resolve('bun/package.json')), 'bin/bun.exe')
  const script = fileURLToPath(new URL('../../bun-server/test/idle-server.ts', import.meta.url))
  const child = spawn(bun, [script, String(port), JSON.stringify(LIMITS)])
  addCleanup(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  child.stdout.on('data', closed)
}

it.concurrent.for<[title: string, sent: string, heard: string]>([
  ['that sends nothing', '', ''],
  ['that stops within a head', 'GET / HTTP/1.1\r\nHost: a', ''],
  ['whose request is answered', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', 'here'],
  ['that stops within its second head', 'GET / HTTP/1.1\r\nHost: a\r\n\r\nGET', 'here'],
])('a connection %s is closed', async ([, sent, heard], { expect, onTestFinished }) => {
  const socket = connect(await listen(onTestFinished), '127.0.0.1').setEncoding('utf8')
  onTestFinished(() => void socket.destroy())
  let answer = ''
  socket.on('data', (text: string) => {
    answer += text
  })
  socket.on('error', () => {})
  socket.write(sent)
  await once(socket, 'close')
  expect(answer).toContain(heard)
})

it.concurrent('a connection whose answer is not read is closed', async ({ onTestFinished }) => {
  let closed = () => {}
  const is_closed = new Promise<void>((resolve) => {
    closed = resolve
  })
  const socket = connect(await listen(onTestFinished, () => closed()), '127.0.0.1').pause()
  onTestFinished(() => void socket.destroy())
  // One request alone: Bun closes the connection of several.
  socket.write('GET /endless HTTP/1.1\r\nHost: a\r\n\r\n')
  await is_closed
})

it.concurrent('600 requests at once are answered in order, or refused together, and other clients are answered', async ({
  expect,
  onTestFinished,
}) => {
  const port = await listen(onTestFinished)
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (data: string) => {
    text += data
  })
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(600))
  await once(socket, 'close')
  // Bun closes a connection with a second request before the first one is answered.
  expect(text.split('here')).toHaveLength(inject('server') === 'bun' ? 1 : 601)
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here')
})
