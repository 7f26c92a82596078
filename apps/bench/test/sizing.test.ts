import { expect, it } from 'vitest'
import { PEAK, PROFILE, sizing } from '../src/capacity/sizing.js'

const costs = Object.keys(PROFILE).map((name) => ({
  name,
  statements: 1,
  p50_ms: 1,
  p99_ms: 1,
  cpu_ms: 1,
  wal_bytes: 2 ** 20,
  blocks_read: 0,
}))
const places = [{ table: 'oidc_users', rows: 10, table_bytes: 10 * 2 ** 20, index_bytes: 10 * 2 ** 20 }]
const operations = Object.values(PROFILE).reduce((sum, times) => sum + times, 0)

it('multiplies the measured costs by what the users do in the busiest second', () => {
  const { requests, database_cores, wal_mib, disk_gib } = sizing(30 * 86_400, { costs, places })
  expect(requests).toBeCloseTo(operations * PEAK)
  expect(database_cores).toBeCloseTo((operations * PEAK) / 1000)
  expect(wal_mib).toBeCloseTo(operations * PEAK)
  expect(disk_gib).toBeCloseTo((30 * 86_400 * 2) / 1024)
})

it('grows with the number of users', () => {
  const one = sizing(1_000_000, { costs, places })
  const ten = sizing(10_000_000, { costs, places })
  expect(ten.server_cores).toBeCloseTo(one.server_cores * 10)
})

it('refuses an operation that was not measured', () => {
  expect(() => sizing(1, { costs: [], places })).toThrow('was not measured')
})
