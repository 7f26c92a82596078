/**
 * Counters, gauges and histograms, and their text for Prometheus. A snapshot is plain data, so that the processes of
 * one server can be added up.
 */

export type Labels = Readonly<Record<string, string>>

interface Described {
  name: string
  help: string
}

export interface Numbers extends Described {
  type: 'counter' | 'gauge'
  /** How those of several processes become one: what all of them see alike is not added up. */
  merge: 'sum' | 'max'
  /** By its labels, as they are written. */
  samples: [labels: string, value: number][]
}

export interface Histogram extends Described {
  type: 'histogram'
  /** Upper bounds, ascending; `+Inf` comes by itself. */
  bounds: readonly number[]
  /** `counts`: for each bound what is not in the one before, and then the rest. */
  samples: [labels: string, counts: number[], sum: number][]
}

export type Family = Numbers | Histogram
export type Snapshot = Family[]

export function counter(name: string, help: string) {
  const values = new Map<string, number>()
  return {
    add(labels: Labels, by = 1) {
      const key = written(labels)
      values.set(key, (values.get(key) ?? 0) + by)
    },
    family: (): Family => ({ name, help, type: 'counter', merge: 'sum', samples: [...values] }),
  }
}

export function histogram(name: string, help: string, bounds: readonly number[]) {
  const series = new Map<string, { counts: number[]; sum: number }>()
  return {
    observe(labels: Labels, value: number) {
      const key = written(labels)
      const found = series.get(key) ?? { counts: Array<number>(bounds.length + 1).fill(0), sum: 0 }
      series.set(key, found)
      const at = bounds.findIndex((bound) => value <= bound)
      const bucket = at === -1 ? bounds.length : at
      found.counts[bucket] = (found.counts[bucket] ?? 0) + 1
      found.sum += value
    },
    family: (): Family => ({
      name,
      help,
      type: 'histogram',
      bounds,
      samples: [...series].map(([labels, { counts, sum }]) => [labels, [...counts], sum]),
    }),
  }
}

/** What is true now. `merge`: see `Numbers`. */
export function gauge(
  described: Described & { merge: Numbers['merge'] },
  samples: [labels: Labels, value: number][],
): Family {
  return { ...described, type: 'gauge', samples: samples.map(([labels, value]) => [written(labels), value]) }
}

/** Several processes as one. */
export function merged(snapshots: readonly Snapshot[]): Snapshot {
  const families = new Map<string, Family>()
  for (const family of snapshots.flat()) {
    const known = families.get(family.name)
    families.set(family.name, known === undefined ? family : mergedFamily(known, family))
  }
  return [...families.values()]
}

function mergedFamily(a: Family, b: Family): Family {
  if (a.type === 'histogram') {
    const series = new Map(a.samples.map(([labels, counts, sum]) => [labels, { counts, sum }]))
    for (const [labels, counts, sum] of b.type === 'histogram' ? b.samples : []) {
      const known = series.get(labels)
      const added = counts.map((count, i) => count + (known?.counts[i] ?? 0))
      series.set(labels, { counts: added, sum: sum + (known?.sum ?? 0) })
    }
    return { ...a, samples: [...series].map(([labels, { counts, sum }]) => [labels, counts, sum]) }
  }
  const values = new Map(a.samples)
  for (const [labels, value] of b.type === 'histogram' ? [] : b.samples) {
    const known = values.get(labels)
    const both = a.merge === 'sum' ? value + (known ?? 0) : Math.max(value, known ?? value)
    values.set(labels, both)
  }
  return { ...a, samples: [...values] }
}

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format, version 0.0.4. */
export function exposition(snapshot: Snapshot): string {
  return snapshot
    .map((family) => {
      const { name, help, type } = family
      const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
      return [...lines, ...(family.type === 'histogram' ? buckets(family) : plain(family))].join('\n')
    })
    .concat('')
    .join('\n')
}

const plain = ({ name, samples }: Numbers): string[] =>
  samples.map(([labels, value]) => `${name}${braced(labels)} ${value}`)

function buckets({ name, bounds, samples }: Histogram): string[] {
  return samples.flatMap(([labels, counts, sum]) => {
    let total = 0
    const lines = counts.map((count, i) => {
      total += count
      const le = `le="${bounds[i] ?? '+Inf'}"`
      return `${name}_bucket{${labels === '' ? le : `${labels},${le}`}} ${total}`
    })
    return [...lines, `${name}_sum${braced(labels)} ${sum}`, `${name}_count${braced(labels)} ${total}`]
  })
}

const braced = (labels: string): string => (labels === '' ? '' : `{${labels}}`)

/** Called for every request, so it builds nothing on the way. */
function written(labels: Labels): string {
  let text = ''
  for (const name in labels) {
    const value = labels[name] ?? ''
    const escaped = /[\\"\n]/.test(value) ? value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n') : value
    text += `${text === '' ? '' : ','}${name}="${escaped}"`
  }
  return text
}
