import { createServer } from 'node:net'
import type { HostConfig } from '../config/host-config.js'
import { codeOf, type Finding, fault, messageOf, ok } from './finding.js'

/** Checks that the port is free, or that an Ostiary server listens on it. */
export async function checkPort({ port, host }: HostConfig): Promise<Finding> {
  const error = await tryToListen(port, host)
  if (error === null) return ok('port', `${port} of ${host} is free: no server runs`)
  const code = codeOf(error)
  if (code === 'EADDRINUSE') {
    if (await isOstiary(port, host)) return ok('port', `a server listens on port ${port} of ${host}`)
    return fault(
      'port',
      `${port} of ${host} is in use by another program`,
      'Stop that program, or set PORT to another port.',
    )
  }
  if (code === 'EACCES')
    return fault('port', `${port} is reserved for the administrator`, 'Set PORT to 1024 or more.')
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return fault(
      'port',
      `${host} is not an address of this machine`,
      'Set HOST to an address of this machine, or to 0.0.0.0 for all of them.',
    )
  return fault('port', `${port} of ${host} cannot be used: ${messageOf(error)}`, 'Correct PORT and HOST.')
}

const tryToListen = (port: number, host: string): Promise<unknown> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen({ port, host }, () => server.close(() => resolve(null)))
  })

async function isOstiary(port: number, host: string): Promise<boolean> {
  const loopback: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }
  const name = loopback[host] ?? (host.includes(':') ? `[${host}]` : host)
  try {
    const response = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(3000) })
    return response.ok && ((await response.json()) as { status?: unknown } | null)?.status === 'ok'
  } catch {
    return false
  }
}
