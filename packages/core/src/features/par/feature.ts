import { PATHS } from '../../http/paths.js'
import type { Feature } from '../feature.js'
import { pushedAuthorizationRequest } from './endpoint.js'

export const par: Feature = {
  spec: 'RFC 9126',
  enabled: ({ policy }) => policy.pushed !== 'off',
  endpoints: {
    'oidc.par': {
      methods: ['POST'],
      path: PATHS.par,
      cors: true,
      reads_proofs: true,
      handler: pushedAuthorizationRequest,
    },
  },
  metadata: ({ urls, policy }) => ({
    pushed_authorization_request_endpoint: urls.pushed_authorization_request_endpoint,
    ...(policy.pushed === 'required' && { require_pushed_authorization_requests: true }),
  }),
}
