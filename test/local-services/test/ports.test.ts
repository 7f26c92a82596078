import { expect, it, onTestFinished, vi } from 'vitest'

/** Of the list in the Fetch standard. */
const HIGHEST_REFUSED_PORT = 10_080

/** As in another test process: nothing is shared but the ports of the machine. */
async function otherProcess(): Promise<() => Promise<number>> {
  vi.resetModules()
  return (await import('../src/ports.ts')).freePort
}

async function several(freePort: () => Promise<number>): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < 60) ports.push(await freePort())
  return ports
}

it('a port is given once, and to no other process, although it has no listener', async () => {
  const one = await several(await otherProcess())
  const two = await several(await otherProcess())
  expect(new Set([...one, ...two]).size).toBe(120)
})

it('a port is none that fetch refuses to connect to', async () => {
  // Its block is the first one, if no other process has it.
  const pid = Object.getOwnPropertyDescriptor(process, 'pid') ?? {}
  Object.defineProperty(process, 'pid', { ...pid, value: 0 })
  onTestFinished(() => void Object.defineProperty(process, 'pid', pid))
  const ports = new Set([...(await several(await otherProcess())), ...(await several(await otherProcess()))])
  expect([...ports].filter((port) => port <= HIGHEST_REFUSED_PORT)).toEqual([])
})
