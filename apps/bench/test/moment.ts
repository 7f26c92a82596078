/** Runs the benchmark with a short time for each server. */

import { expect } from 'vitest'
import { readOptions } from '../src/options.js'
import { measure } from '../src/run/measure.js'
import { faults } from '../src/run/result.js'

const MOMENT = ['--short', '--runs', '1', '--seconds', '0.2', '--connections', '2']

export async function measured(...args: string[]) {
  const options = readOptions([...MOMENT, ...args], '')
  if (options === 'help') throw new Error('no options')
  const result = await measure({ ...options, warm_up: 0, statements: true }, () => {})
  expect(faults(result)).toEqual([])
  expect(result.workloads.map(({ name }) => name)).toEqual(options.only)
  const servers = result.workloads.map(({ name, servers }) => [name, servers.map((server) => server.name)])
  return { result, servers: Object.fromEntries(servers) }
}
