import { createServer } from 'node:net'
import type { HostConfig } from '../config/host-config.js'
import {
  ADMIN_SETTINGS,
  type ListenSettings,
  METRICS_SETTINGS,
  SERVER_SETTINGS,
} from '../server/listen-error.js'
import { codeOf, type Finding, fault, messageOf, ok } from './finding.js'

const TIMEOUT_MS = 3000

/** Checks that the port is free, or that an Ostiary server listens on it. */
export const checkPort = ({ port, host }: HostConfig): Promise<Finding> =>
  checkSocket({ port, host, settings: SERVER_SETTINGS, is_ours: isHealthy })

/** The same for the ports of /metrics and of the admin API, if there are any. */
export async function checkOtherPorts({ server: { metrics }, admin_listen }: HostConfig): Promise<Finding[]> {
  const findings: Finding[] = []
  if (metrics !== null)
    findings.push(await checkSocket({ ...metrics, settings: METRICS_SETTINGS, is_ours: isMetrics }))
  if (admin_listen !== undefined)
    findings.push(await checkSocket({ ...admin_listen, settings: ADMIN_SETTINGS, is_ours: isHealthy }))
  return findings
}

interface Socket {
  port: number
  host: string
  settings: ListenSettings
  /** Whether the answer of the program on the port is Ostiary's. */
  is_ours: (origin: string) => Promise<boolean>
}

async function checkSocket({ port, host, settings, is_ours }: Socket): Promise<Finding> {
  const error = await tryToListen(port, host)
  if (error === null) return ok('port', `nothing listens on ${host}:${port}`)
  const code = codeOf(error)
  if (code === 'EADDRINUSE') {
    if (await is_ours(originOf(port, host)).catch(() => false))
      return ok('port', `a server listens on port ${port} of ${host}`)
    return fault(
      'port',
      `${port} of ${host} is in use by another program`,
      `Stop that program, or set ${settings.port} to another port.`,
    )
  }
  if (code === 'EACCES')
    return fault('port', `${port} is reserved for the administrator`, `Set ${settings.port} to 1024 or more.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return fault(
      'port',
      `${host} is not an address of this machine`,
      `Set ${settings.host} to an address of this machine, or to 0.0.0.0 for all of them.`,
    )
  return fault(
    'port',
    `${port} of ${host} cannot be used: ${messageOf(error)}`,
    `Correct ${settings.port} and ${settings.host}.`,
  )
}

const tryToListen = (port: number, host: string): Promise<unknown> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen({ port, host }, () => server.close(() => resolve(null)))
  })

/** Where a server that listens there is reached on this machine. */
export function originOf(port: number, host: string): string {
  const loopback: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }
  const name = loopback[host] ?? (host.includes(':') ? `[${host}]` : host)
  return `http://${name}:${port}`
}

async function isHealthy(origin: string): Promise<boolean> {
  const response = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  return response.ok && ((await response.json()) as { status?: unknown } | null)?.status === 'ok'
}

async function isMetrics(origin: string): Promise<boolean> {
  const response = await fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  return response.ok && (await response.text()).includes('\nostiary_')
}
