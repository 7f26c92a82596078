import type { Feature } from '../feature.js'
import { deviceCode } from './device-code.js'
import { deviceAuthorization } from './endpoint.js'
import { DEVICE_CODE } from './names.js'
import { devicePage } from './page.js'
import { hasDevices } from './settings.js'
import { DEVICE_AUTHORIZATION_PATH, DEVICE_PATH, deviceEndpoint } from './urls.js'

export const device: Feature = {
  spec: 'RFC 8628',
  enabled: ({ settings }) => hasDevices(settings.clients),
  endpoints: {
    'oidc.device-authorization': {
      methods: ['POST'],
      path: DEVICE_AUTHORIZATION_PATH,
      cors: true,
      reads_proofs: true,
      handler: deviceAuthorization,
    },
    'oidc.device': { methods: ['GET', 'HEAD', 'POST'], path: DEVICE_PATH, page: true, handler: devicePage },
  },
  grants: { [DEVICE_CODE]: deviceCode },
  metadata: (realm) => ({ device_authorization_endpoint: deviceEndpoint(realm) }),
}
