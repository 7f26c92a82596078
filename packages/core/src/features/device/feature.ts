import { PATHS } from '../../http/paths.js'
import type { Feature } from '../feature.js'
import { DEVICE_CODE } from './device-client.js'
import { deviceCode } from './device-code.js'
import { deviceAuthorization } from './endpoint.js'
import { devicePage } from './page.js'
import { deviceEndpoint } from './urls.js'

export const device: Feature = {
  spec: 'RFC 8628',
  enabled: ({ settings }) => settings.clients.device_authorization !== 'off',
  endpoints: {
    'oidc.device-authorization': {
      methods: ['POST'],
      path: PATHS.device_authorization,
      cors: true,
      reads_proofs: true,
      handler: deviceAuthorization,
    },
    'oidc.device': { methods: ['GET', 'HEAD', 'POST'], path: PATHS.device, page: true, handler: devicePage },
  },
  grants: { [DEVICE_CODE]: deviceCode },
  metadata: (realm) => ({ device_authorization_endpoint: deviceEndpoint(realm) }),
}
