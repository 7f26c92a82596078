import { createServer } from 'node:net'
import type { HostConfig } from '../config/host-config.js'
import { type Check, codeOf, fault, messageOf, ok } from './check.js'

/** Free, or taken by a server of ours. */
export async function checkPort({ port, host }: HostConfig): Promise<Check> {
  const error = await tryToListen(port, host)
  if (error === null) return ok('port', `${port} of ${host} is free: no server runs here`)
  const code = codeOf(error)
  if (code === 'EADDRINUSE') {
    if (await isOurs(port, host)) return ok('port', `a server runs here, on port ${port} of ${host}`)
    return fault(
      'port',
      `${port} of ${host} is in use, and not by a server of this kind`,
      'Stop what runs there, or set PORT to another one.',
    )
  }
  if (code === 'EACCES')
    return fault('port', `${port} is reserved for the administrator`, 'Set PORT to 1024 or more.')
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return fault('port', `${host} is no address of this machine`, 'Set HOST to one, or to 0.0.0.0 for all.')
  return fault('port', `${port} of ${host} cannot be used: ${messageOf(error)}`, 'Set PORT and HOST.')
}

const tryToListen = (port: number, host: string): Promise<unknown> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen({ port, host }, () => server.close(() => resolve(null)))
  })

async function isOurs(port: number, host: string): Promise<boolean> {
  const any: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }
  const name = any[host] ?? (host.includes(':') ? `[${host}]` : host)
  try {
    const response = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(3000) })
    return response.ok && ((await response.json()) as { status?: unknown } | null)?.status === 'ok'
  } catch {
    return false
  }
}
