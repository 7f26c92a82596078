import type { UpstreamSettings } from '../settings.js'
import { githubProtocol } from './github.js'
import { oidcProtocol, type ProtocolOptions } from './oidc.js'
import type { Protocol } from './trip.js'

export const protocolOf = (settings: UpstreamSettings, options: ProtocolOptions): Protocol =>
  settings.type === 'github' ? githubProtocol(settings, options) : oidcProtocol(settings, options)
