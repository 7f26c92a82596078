import { PATHS } from '../../http/paths.js'
import type { Feature } from '../feature.js'
import { logout as endSession } from './endpoint.js'

export const logout: Feature = {
  spec: 'OpenID Connect RP-Initiated Logout',
  enabled: ({ settings }) => settings.handlers.logout,
  endpoints: {
    'oidc.logout': { methods: ['GET', 'POST'], path: PATHS.end_session, page: true, handler: endSession },
  },
  metadata: ({ urls }) => ({ end_session_endpoint: urls.end_session_endpoint }),
}
