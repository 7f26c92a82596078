import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Service } from '../src/machine.js'
import { startPostgres } from '../src/postgres.js'
import { startRedis, startRedisProgram } from '../src/redis.js'

const answers = (url: string) =>
  new Promise<boolean>((done) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.destroy())
  })

/** A folder for temporary folders, which the service's user may enter. */
function ownTmp(): string {
  const folder = mkdtempSync(join(tmpdir(), 'local-services-'))
  chmodSync(folder, 0o1777)
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

describe.each<[string, () => Promise<Service>]>([
  ['postgres', startPostgres],
  ['redis', startRedis],
])('%s', (_, start) => {
  it('stops and starts at the same address, and leaves no folder behind', async () => {
    const tmp = ownTmp()
    const service = await start()
    onTestFinished(() => service.stop())
    for (let round = 0; round < 2; round += 1) {
      await service.pause()
      expect(await answers(service.url)).toBe(false)
      await service.resume()
      expect(await answers(service.url)).toBe(true)
    }
    await service.pause()
    await service.stop()
    expect(await answers(service.url)).toBe(false)
    expect(readdirSync(tmp).filter((name) => /^ostiary-(postgres|redis)-/.test(name))).toEqual([])
  })
})

it('tries another port when another process has taken the first one', async () => {
  ownTmp()
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const { port: takenPort } = taken.address() as AddressInfo
  const tried: number[] = []
  const server = await startRedisProgram({
    args: (port, folder) => {
      tried.push(port)
      const ownPort = tried.length === 1 ? takenPort : port
      return `--port ${ownPort} --bind 127.0.0.1 --dir ${folder}`.split(' ')
    },
  })
  onTestFinished(() => server.stop())
  expect(tried).toHaveLength(2)
  expect(await answers(`redis://127.0.0.1:${server.port}`)).toBe(true)
})
