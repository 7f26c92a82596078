/** A CPU profile of V8 as microseconds of an operation, by package and by function. */

import { type CallFrame, originalFrames } from './sources.js'

/** The fields of a .cpuprofile file that are used. */
export interface CpuProfile {
  nodes: readonly { id: number; callFrame: CallFrame }[]
  samples: readonly number[]
  /** Microseconds from one sample to the next. */
  timeDeltas: readonly number[]
  /** Of the machine's monotonic clock, in microseconds. */
  startTime: number
}

/** The measured period, in microseconds of that clock. */
export interface Span {
  from: number
  to: number
  operations: number
}

export interface Share {
  name: string
  /** Microseconds on top of the stack, of one operation. */
  self: number
}

export interface Shares {
  packages: Share[]
  functions: Share[]
}

export function sharesOf(profile: CpuProfile, { from, to, operations }: Span): Shares {
  const { nodes, samples, timeDeltas } = profile
  const original = originalFrames()
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, original(callFrame)]))
  const packages = new Map<string, number>()
  const functions = new Map<string, number>()
  let now = profile.startTime
  for (const [i, id] of samples.entries()) {
    const delta = timeDeltas[i] ?? 0
    now += delta
    const frame = frames.get(id)
    if (now < from || now > to || frame === undefined || frame.functionName === '(idle)') continue
    const self = delta / operations
    const owner = packageOf(frame.url, frame.functionName)
    add(packages, owner, self)
    add(functions, `${frame.functionName || '(anonymous)'} ${owner}:${frame.lineNumber + 1}`, self)
  }
  return { packages: sorted(packages), functions: sorted(functions) }
}

const add = (to: Map<string, number>, name: string, value: number) =>
  to.set(name, (to.get(name) ?? 0) + value)

const sorted = (shares: Map<string, number>): Share[] =>
  [...shares].map(([name, self]) => ({ name, self })).sort((a, b) => b.self - a.self)

/** Such as `jose`, `@ostiary/core`, `node:http`; what has no file is V8's own: `(garbage collector)`. */
function packageOf(url: string, functionName: string): string {
  if (url.startsWith('node:internal')) return 'node:internal'
  if (url.startsWith('node:')) return url
  if (url === '') return functionName.startsWith('(') ? functionName : '(native)'
  const [, installed] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? []
  if (installed !== undefined) return installed
  const [, ours] = /\/(?:packages|apps)\/([^/]+)\/(?:dist|src)\//.exec(url) ?? []
  return ours === undefined ? url : `@ostiary/${ours}`
}
