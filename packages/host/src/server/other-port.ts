import type { HostConfig } from '../config/host-config.js'

/** Whether the issuer names another port than the one that the server listens on. With https, a proxy with a port of its own is before the server. */
export function hasOtherPort({ issuer, port }: Pick<HostConfig, 'issuer' | 'port'>): boolean {
  const url = new URL(issuer)
  return url.protocol === 'http:' && Number(url.port || 80) !== port
}
