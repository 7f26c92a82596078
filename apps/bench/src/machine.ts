/** The machine that it is measured on, and its limit: how many RS256 signatures one of its cores makes. */

import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os'
import { pinning, SERVER_CORE } from './run/processes.js'

export interface Machine {
  cpu: string
  cores: number
  memory_gib: number
  kernel: string
  node: string
  /** Load average of one minute at the start: well above 0, the machine was busy. */
  load: number
  /** Whether server and load generator each had a core. */
  pinned: boolean
}

export const machine = (): Machine => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length || availableParallelism(),
  memory_gib: Math.round(totalmem() / 2 ** 30),
  kernel: `${process.platform} ${release()}`,
  node: process.version,
  load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  pinned: pinning(),
})

const SIGN = `
const { createSign, generateKeyPairSync } = require('node:crypto')
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const sign = () => createSign('sha256').update('x'.repeat(350)).sign(privateKey)
for (let i = 0; i < 200; i++) sign()
const started = performance.now()
let count = 0
for (; performance.now() - started < SECONDS * 1000; count++) sign()
process.stdout.write(String(count / (performance.now() - started) * 1000))
`

/** RS256 signatures (RSA 2048) a second, on the server's core, by node:crypto. */
export function signaturesPerSecond(seconds: number): number {
  const script = SIGN.replace('SECONDS', `${seconds}`)
  const command = [process.execPath, '-e', script]
  const [program = '', ...args] = pinning() ? ['taskset', '-c', SERVER_CORE, ...command] : command
  return Number(execFileSync(program, args, { encoding: 'utf8' }))
}
