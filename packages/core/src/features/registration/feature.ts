import { PATHS } from '../../http/paths.js'
import type { Feature } from '../feature.js'
import { registration as register } from './endpoint.js'

export const registration: Feature = {
  spec: 'RFC 7591',
  enabled: ({ settings }) => settings.clients.registration.enabled,
  endpoints: {
    'oidc.register': { methods: ['POST'], path: PATHS.register, cors: true, handler: register },
  },
  metadata: ({ urls }) => ({ registration_endpoint: urls.registration_endpoint }),
}
