import { describe, expect, it } from 'vitest'
import { configure, FILE, faults } from './support.ts'

const POSTGRES = { DATABASE_URL: 'postgres://localhost/x' }

describe('the server settings', () => {
  it('have defaults: one process, no draining, no metrics', async () => {
    expect((await configure(FILE)).server).toEqual({
      workers: 1,
      drain_seconds: 0,
      stop_seconds: 5,
      log_format: null,
      metrics: null,
    })
  })

  it('drain for 5 seconds where a proxy is trusted; an explicit value wins', async () => {
    const drain = async (file: object, env = {}) =>
      (await configure({ ...FILE, ...file }, env)).server.drain_seconds
    const proxied = { trusted_proxies: ['10.0.0.1'] }
    expect(await drain({ trusted_proxies: [] })).toBe(0)
    expect(await drain(proxied)).toBe(5)
    expect(await drain(proxied, { OSTIARY_DRAIN_SECONDS: '0' })).toBe(0)
    expect(await drain({ ...proxied, server: { drain_seconds: 9 } })).toBe(9)
    expect(await drain(proxied, { OSTIARY_DRAIN_SECONDS: '600' })).toBe(600)
  })

  it('come from the file, and a variable takes precedence', async () => {
    const server = { workers: 2, drain_seconds: 3, stop_seconds: 4, metrics: { port: 9464 } }
    expect((await configure({ ...FILE, server }, POSTGRES)).server).toEqual({
      ...server,
      log_format: null,
      metrics: { port: 9464, host: '127.0.0.1' },
    })
    const env = {
      OSTIARY_WORKERS: '4',
      OSTIARY_DRAIN_SECONDS: '0',
      OSTIARY_STOP_SECONDS: '60',
      OSTIARY_METRICS_PORT: '9000',
      OSTIARY_METRICS_HOST: '0.0.0.0',
      LOG_FORMAT: 'text',
    }
    expect((await configure({ ...FILE, server }, { ...POSTGRES, ...env })).server).toEqual({
      workers: 4,
      drain_seconds: 0,
      stop_seconds: 60,
      log_format: 'text',
      metrics: { port: 9000, host: '0.0.0.0' },
    })
  })

  it.each([
    [{ workers: 0 }, {}, /^server\.workers: /],
    [{ drain: 5 }, {}, /^server\.drain: there is no such key/],
    [{ metrics: { prot: 1 } }, {}, /^server\.metrics\.prot: there is no such key; did you mean port\?/],
    [{}, { OSTIARY_WORKERS: 'all' }, /^OSTIARY_WORKERS: give a whole number/],
    [{}, { OSTIARY_DRAIN_SECONDS: '601' }, /^OSTIARY_DRAIN_SECONDS: /],
    [{ workers: 2 }, {}, /^server\.workers: the embedded database takes one process; set DATABASE_URL/],
    [{}, { LOG_FORMAT: 'xml' }, /^LOG_FORMAT: /],
    [{ metrics: { port: 3000 } }, {}, /^server\.metrics\.port: the server listens on 3000 too/],
  ])('%j %j is refused', async (server, env, fault) => {
    expect(await faults({ ...FILE, server }, env)).toEqual([expect.stringMatching(fault)])
  })
})

describe('storage: memory', () => {
  it('is set by the file or a variable', async () => {
    for (const config of [
      await configure({ ...FILE, storage: 'memory' }),
      await configure(FILE, { OSTIARY_STORAGE: 'memory' }),
    ])
      expect(config.storage).toEqual({ kind: 'memory' })
    const overruled = await configure({ ...FILE, storage: 'memory' }, { OSTIARY_STORAGE: 'database' })
    expect(overruled.storage.kind).toBe('embedded')
  })

  it('is refused together with DATABASE_URL; another value is refused too', async () => {
    expect(await faults({ ...FILE, storage: 'memory' }, POSTGRES)).toEqual([
      'storage: DATABASE_URL names a database too; unset one of the two',
    ])
    expect(await faults(FILE, { OSTIARY_STORAGE: 'ram' })).toEqual([
      'OSTIARY_STORAGE: give database or memory',
    ])
  })
})
