import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openConnection, parseAnswer } from '../src/load/connection.js'
import { readOptions } from '../src/options.js'
import { comparison } from '../src/report/comparison.js'
import { between } from '../src/report/docs.js'
import { pairsTable } from '../src/report/pairs.js'
import { sharesOf } from '../src/report/profile.js'
import { commitOf } from '../src/run/checkout.js'
import { compared, summary } from '../src/run/result.js'
import { statementReader } from '../src/servers/statement-counter.js'
import { difference, median, percentile, spread } from '../src/statistics.js'

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

  it('two lists of runs differ when they do not overlap, and are enough to tell', () => {
    const before = [100, 104, 96, 102]
    const faster = difference(before, [105, 110, 108, 107])
    expect(faster).toMatchObject({ before: 101, after: 107.5, beyond_noise: true })
    expect(faster.ratio).toBeCloseTo(1.064)
    expect(faster.range_before.low).toBeCloseTo(0.95)
    expect(faster.range_after.high).toBeCloseTo(1.089)
    expect(difference(before, [95, 90, 80, 85])).toMatchObject({ beyond_noise: true })
    // One slow run of the faster server, in the range of the other.
    expect(difference(before, [105, 110, 103, 107])).toMatchObject({ beyond_noise: false })
    expect(difference([100, 101, 102], [200, 201, 202])).toMatchObject({ beyond_noise: null })
  })

  it('CPU without signature and HTTP is the difference to the bare server', () => {
    const run = (operations: number, cpu_seconds: number) => ({
      operations,
      cpu_seconds,
      database_seconds: cpu_seconds / 4,
      seconds: 1,
      ended: 0,
      errors: 0,
      error_samples: [],
      p50: 1,
      p99: 2,
      generator_busy: 0.5,
      rss: 1e6,
    })
    const more = { rss_idle: null, half: null, statements: null }
    const servers = [
      { ...summary('bare', [run(4000, 1)]), ...more },
      { ...summary('ours', [run(2000, 1), run(2500, 1), run(1000, 1)]), ...more },
    ]
    const [bare, ours] = compared(servers, { bare: 'bare', peer: null, limit: 5000, signatures: 1 })
    expect(bare).toMatchObject({ beside_ms: 0, of_bare: 1, of_limit: 0.8 })
    expect(ours).toMatchObject({
      per_second: 2000,
      cpu_ms: 0.5,
      database_ms: 0.125,
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
  const dist = fileURLToPath(new URL('../../node-server/dist', import.meta.url))
  const declaration = 'async function createApp('
  const chunks = readdirSync(dist).filter((name) => name.endsWith('.js'))
  const files = chunks.map((name) => join(dist, name))
  const program = files.find((file) => readFileSync(file, 'utf8').includes(declaration)) ?? ''
  const lines = readFileSync(program, 'utf8').split('\n')
  const lineNumber = lines.findIndex((line) => line.includes(declaration))
  const columnNumber = (lines[lineNumber]?.indexOf(declaration) ?? 0) + 'async function '.length
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

  it('measures the default Node and Bun; two builds on memory and PostgreSQL with Node', () => {
    expect(readOptions([], '')).toMatchObject({ runtime: ['node', 'bun'], half_load: true, sitting: 1 })
    const compared = { runtime: ['node'], storage: ['memory', 'postgres'], half_load: false, compare: 'HEAD' }
    expect(readOptions(['--compare', 'HEAD'], '')).toMatchObject(compared)
    const lines = readOptions(['--compare', 'HEAD', '--runtime', 'bun,node22', '--storage', 'mix'], '')
    expect(lines).toMatchObject({ runtime: ['node22', 'bun'], storage: ['mix'] })
    expect(() => readOptions(['--runtime', 'node18'], '')).toThrow('there are node, node22, node24')
  })

  it('takes pairs of operations with --compare or --audit', () => {
    expect(readOptions(['--compare', 'HEAD', '--pairs', '100'], '')).toMatchObject({ pairs: 100 })
    expect(() => readOptions(['--compare', 'HEAD', '--pairs', '99'], '')).toThrow(
      '--pairs: give a number from 100 to 100000',
    )
    expect(() => readOptions(['--pairs', '100'], '')).toThrow('--pairs: give --compare COMMIT or --audit too')
  })

  it('takes --flood with --audit', () => {
    const line = ['--audit', '--pairs', '100', '--flood']
    expect(readOptions([...line, '1000'], '')).toMatchObject({ flood: 1000 })
    expect(() => readOptions([...line, '1001'], '')).toThrow('--flood: give a number from 1 to 1000')
    expect(() => readOptions(['--flood', '10'], '')).toThrow('--flood: give --audit too')
  })

  it('takes --audit with pairs, and without --compare', () => {
    expect(readOptions(['--audit', '--pairs', '100'], '')).toMatchObject({ audit: true, pairs: 100 })
    for (const line of [['--audit'], ['--audit', '--pairs', '100', '--compare', 'HEAD']])
      expect(() => readOptions(line, '')).toThrow('--audit: give --pairs N, and no --compare')
  })
})

it('statements on PostgreSQL are counted, however the bytes arrive', () => {
  const message = (type: string, body = '') => {
    const head = Buffer.alloc(type.length + 4)
    head.write(type)
    head.writeInt32BE(4 + body.length, type.length)
    return Buffer.concat([head, Buffer.from(body, 'latin1')])
  }
  const sent = Buffer.concat([
    message('', '\x04\xd2\x16\x2f'),
    message('', '\x00\x03\x00\x00user\0E\0\0'),
    message('p', 'password'),
    message('Q', 'begin\0'),
    ...['P', 'B', 'D', 'E', 'S'].map((type) => message(type, 'QE\0')),
    ...['B', 'E', 'S'].map((type) => message(type)),
  ])
  for (const size of [1, 3, 7, sent.length]) {
    let count = 0
    const read = statementReader(() => {
      count += 1
    })
    for (let at = 0; at < sent.length; at += size) read(sent.subarray(at, at + size))
    expect(count).toBe(3)
  }
})

describe('the comparison of two builds', () => {
  it('has both figures, their ratio, the ranges of the runs, and a verdict on each', () => {
    const server = {
      workload: 'UserInfo',
      server: 'ostiary Postgres',
      per_second: difference([1000, 1010, 990, 1000], [1200, 1210, 1190, 1200]),
      cpu_ms: difference([0.2, 0.21, 0.19, 0.2], [0.2, 0.2, 0.2, 0.2]),
      errors: [],
    }
    const text = comparison([server, { ...server, cpu_ms: null }], 'Before: a. After: b.')
    const cells =
      '| UserInfo | ostiary Postgres | 1,000 | 1,200 | 1.200 | 0.99 to 1.01 | 1.19 to 1.21 | faster |'
    expect(text).toContain(`${cells} 0.200 | 0.200 | 1.000 | noise |`)
    expect(text).toContain(`${cells}  |  |  |  |`)
    const slower = { ...server, per_second: difference([2, 2, 2, 2], [1, 1, 1, 1]) }
    expect(comparison([slower], '')).toContain('| slower |')
    const short = { ...server, per_second: difference([2], [1]) }
    expect(comparison([short], '')).toContain('| too few runs |')
  })

  it('by pairs has the median of each build and start, and a verdict when all starts differ alike', () => {
    const server = {
      workload: 'UserInfo',
      server: 'ostiary Postgres',
      latency: { before: 1, after: 1.02 },
      cpu_ms: { before: 0.5, after: 0.5 },
      ratios: [1.01, 1.02, 1.03, 1.02, 1.04],
      cpu_ratios: [0.99, 1, 1.01, 1.02, 0.98],
    }
    const text = pairsTable([server, { ...server, cpu_ms: null }], 'Before: a. After: b.')
    const latency = '| 1.000 | 1.020 | 1.020 | 1.010 1.020 1.030 1.020 1.040 | slower |'
    const cpu = ' 0.500 | 0.500 | 1.000 | 0.990 1.000 1.010 1.020 0.980 | noise |'
    expect(text).toContain(`| UserInfo | ostiary Postgres ${latency}${cpu}`)
    expect(text).toContain(`${latency}  |  |  |  |  |`)
    const less = { ...server, cpu_ratios: [0.9, 0.91, 0.92, 0.9, 0.9] }
    expect(pairsTable([less], '')).toContain('| less |')
    const short = { ...server, ratios: [1.1, 1.1, 1.1, 1.1] }
    expect(pairsTable([short], '')).toContain('| too few starts |')
  })

  it('refuses a commit that is not there', () => {
    expect(() => commitOf('no-such-branch')).toThrow('--compare: there is no commit no-such-branch')
    expect(() => commitOf('--help')).toThrow('--compare: there is no commit --help')
    expect(commitOf('HEAD').commit).toMatch(/^[0-9a-f]{7,}$/)
  })
})

describe('the docs', () => {
  it('are changed only between the markers', () => {
    const text = 'a\n<!-- bench -->\nold\n<!-- /bench -->\nb'
    expect(between(text, 'bench', 'new')).toBe('a\n<!-- bench -->\n\nnew\n\n<!-- /bench -->\nb')
    expect(() => between('a', 'bench', 'new')).toThrow('no <!-- bench -->')
  })
})
