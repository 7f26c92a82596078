/** Requests of an address that the limits of the provider count. */

import { parameters } from './par.js'
import { authorizeUrl, type FormFields, formRequest, type World } from './support.js'

const MAX_STATE = 's'.repeat(8192)

export const register = (w: World, address?: string): Promise<Response> => {
  const request = new Request(`${w.issuer}/oauth/register`, {
    method: 'POST',
    body: JSON.stringify({ redirect_uris: ['https://app.example.com/cb'] }),
    headers: { 'content-type': 'application/json' },
  })
  return w.provider.fetch(request, address === undefined ? {} : { address })
}

export const pushFrom = (w: World, address: string, changes: Record<string, string>): Promise<Response> =>
  w.provider.fetch(formRequest(`${w.issuer}/oauth/par`, parameters(w, changes)), { address })

/** An authorization request that is too long for a URL: an error goes to the client. */
export const authorizeLong = (w: World, address: string, client_id: string): Promise<Response> =>
  w.provider.fetch(new Request(authorizeUrl(w.issuer, { state: MAX_STATE, client_id })), { address })

export const tokenFrom = (w: World, address: string, form: FormFields): Promise<Response> =>
  w.provider.fetch(formRequest(`${w.issuer}/oauth/token`, form), { address })
