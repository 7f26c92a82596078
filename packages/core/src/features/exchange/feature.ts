import type { Feature } from '../feature.js'
import { TOKEN_EXCHANGE } from './settings.js'
import { tokenExchange } from './token-exchange.js'

export const exchange: Feature = {
  spec: 'RFC 8693',
  enabled: ({ settings }) => settings.clients.token_exchange,
  grants: { [TOKEN_EXCHANGE]: tokenExchange },
}
