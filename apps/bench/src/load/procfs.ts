/** CPU and memory of a process. Null where there is no /proc. */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

let ticks: number | null = null

/** Kernel ticks a second. */
function ticksPerSecond(): number {
  ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  return ticks
}

/** Seconds of CPU that all threads of the process have used, in user and kernel mode. */
function cpuSeconds(pid: number): number | null {
  const text = read(`/proc/${pid}/stat`)
  if (text === null) return null
  // The command's name stands in parentheses and may hold spaces; utime and stime are fields 14 and 15.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond()
}

/** Resident memory, in bytes. */
function residentBytes(pid: number): number | null {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}

/** The sum over a process and its descendants. */
const ofTree = (read_one: (pid: number) => number | null) =>
  function sum(pid: number): number | null {
    const own = read_one(pid)
    if (own === null) return null
    const children = (read(`/proc/${pid}/task/${pid}/children`) ?? '').trim().split(' ').filter(Boolean)
    return children.reduce((total, child) => total + (sum(Number(child)) ?? 0), own)
  }

export const cpuSecondsOfTree = ofTree(cpuSeconds)
export const residentBytesOfTree = ofTree(residentBytes)

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
