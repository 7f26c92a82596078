import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openConnection, parseAnswer } from '../src/load/connection.js'
import { readOptions } from '../src/options.js'
import { between } from '../src/report/docs.js'
import { sharesOf } from '../src/report/profile.js'
import { compared, summary } from '../src/run/result.js'
import { median, percentile, spread } from '../src/statistics.js'

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('the connection', () => {
  it('reads a body by its length and in chunks, and keeps the connection', async () => {
    const sockets = new Set<unknown>()
    const origin = await serve((request, response) => {
      sockets.add(request.socket)
      response.setHeader('set-cookie', ['a=1', 'b=2'])
      if (request.url === '/chunked') {
        response.write('first ')
        setImmediate(() => response.end('second'))
      } else response.end('whole')
    })
    const connection = await openConnection(origin)
    expect((await connection.request('/chunked')).body).toBe('first second')
    const answer = await connection.request('/')
    expect([answer.status, answer.body, answer.headers('set-cookie')]).toEqual([200, 'whole', ['a=1', 'b=2']])
    expect(sockets.size).toBe(1)
    connection.close()
  })

  it('opens a new connection when the server has closed it', async () => {
    const origin = await serve((_request, response) => {
      response.setHeader('connection', 'close')
      response.end('bye')
    })
    const connection = await openConnection(origin)
    for (let i = 0; i < 3; i++) expect((await connection.request('/')).body).toBe('bye')
    connection.close()
  })

  it.each([
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabc'],
    ['half a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabc'],
  ])('%s is no answer yet', (_name, text) => {
    expect(parseAnswer(text)).toBeNull()
  })
})

describe('the figures', () => {
  it('median, percentile and spread', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
    expect(percentile([1, 2, 3, 4], 0.5)).toBe(2)
    expect(percentile([1, 2, 3, 4], 0.99)).toBe(4)
    expect(spread([90, 100, 110])).toBeCloseTo(0.1)
  })

  it('CPU without signature and HTTP is the difference to the bare server', () => {
    const run = (operations: number, cpu_seconds: number) => ({
      operations,
      cpu_seconds,
      seconds: 1,
      ended: 0,
      errors: 0,
      error_samples: [],
      p50: 1,
      p99: 2,
      generator_busy: 0.5,
      rss: 1e6,
    })
    const more = { rss_idle: null, half: null }
    const servers = [
      { ...summary('bare', [run(4000, 1)]), ...more },
      { ...summary('ours', [run(2000, 1), run(2500, 1), run(1000, 1)]), ...more },
    ]
    const [bare, ours] = compared(servers, { bare: 'bare', peer: null, limit: 5000, signatures: 1 })
    expect(bare).toMatchObject({ beside_ms: 0, of_bare: 1, of_limit: 0.8 })
    expect(ours).toMatchObject({
      per_second: 2000,
      cpu_ms: 0.5,
      beside_ms: 0.25,
      of_bare: 0.5,
      of_peer: null,
    })
  })
})

it('a profile is split by package and by function, for the measured seconds without idle time', () => {
  const frame = (id: number, functionName: string, url: string) => ({
    id,
    callFrame: { functionName, url, lineNumber: 9, columnNumber: 0 },
  })
  const profile = {
    nodes: [
      frame(1, '(idle)', ''),
      frame(2, '(garbage collector)', ''),
      frame(3, 'sign', 'file:///repository/packages/core/dist/index.js'),
      frame(4, 'encode', 'file:///repository/node_modules/.pnpm/jose@6.0.0/node_modules/jose/dist/index.js'),
      frame(5, 'writev', ''),
    ],
    // Start-up, then 100 us each.
    samples: [3, 1, 2, 3, 3, 4, 5, 5],
    timeDeltas: [1000, 100, 100, 100, 100, 100, 100, 100],
    startTime: 0,
  }
  const { packages, functions } = sharesOf(profile, { from: 1050, to: 1650, operations: 10 })
  expect(packages).toEqual([
    { name: '@ostiary/core', self: 20 },
    { name: '(garbage collector)', self: 10 },
    { name: 'jose', self: 10 },
    { name: '(native)', self: 10 },
  ])
  expect(functions[0]).toEqual({ name: 'sign @ostiary/core:10', self: 20 })
})

it('a function is attributed to the package that it was bundled from', () => {
  const program = fileURLToPath(new URL('../../node-server/dist/main.js', import.meta.url))
  const lines = readFileSync(program, 'utf8').split('\n')
  const lineNumber = lines.findIndex((line) => line.startsWith('async function createApp('))
  const columnNumber = 'async function '.length
  const frame = {
    functionName: 'createApp',
    url: pathToFileURL(program).href,
    lineNumber,
    columnNumber,
  }
  const profile = { nodes: [{ id: 1, callFrame: frame }], samples: [1], timeDeltas: [1], startTime: 0 }
  const { packages } = sharesOf(profile, { from: 0, to: 1, operations: 1 })
  expect(packages).toEqual([{ name: '@ostiary/host', self: 1 }])
})

describe('the command line', () => {
  it('takes lists in the order of the report, and refuses unknown names', () => {
    const options = readOptions(['--only', 'jwks,discovery', '--peers', 'none', '--runs', '2'], 'out')
    expect(options).toMatchObject({ only: ['discovery', 'jwks'], peers: [], runs: 2, out: 'out' })
    expect(() => readOptions(['--only', 'discover'], '')).toThrow('--only: there is no discover; there are')
    expect(() => readOptions(['--runs', '0'], '')).toThrow('--runs: give a number from 1 to 15')
    expect(() => readOptions(['--sorage', 'memory'], '')).toThrow('--sorage')
  })
})

describe('the docs', () => {
  it('are changed only between the markers', () => {
    const text = 'a\n<!-- bench -->\nold\n<!-- /bench -->\nb'
    expect(between(text, 'bench', 'new')).toBe('a\n<!-- bench -->\n\nnew\n\n<!-- /bench -->\nb')
    expect(() => between('a', 'bench', 'new')).toThrow('no <!-- bench -->')
  })
})
