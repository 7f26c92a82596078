import { expect, it, vi } from 'vitest'

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
