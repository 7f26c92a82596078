/** APIs in this process whose access tokens are bound to keys (DPoP). */

import { createResourceServer, type DpopOptions } from '@ostiary/resource-server'
import { protect } from '@ostiary/resource-server/hono'
import { SECRET } from '@ostiary/test-kit/server'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { listen } from './listening.ts'

/** Whether each proof needs a nonce. */
export type Nonces = 'off' | 'required'

/** The options of a resource server that refuses bearer tokens. */
export const dpopOptions = (nonce: Nonces): DpopOptions => ({
  required: true,
  ...(nonce === 'required' && { nonce_secret: SECRET }),
})

export interface NotesApi {
  issuer: string
  /** The address; its path is `/notes`. */
  resource: string
  nonce: Nonces
  /** The origin of the page that may call it. */
  web_app?: string
}

/** @returns What ends it. */
export function startNotesApi({
  issuer,
  resource,
  nonce,
  web_app = '',
}: NotesApi): Promise<() => Promise<unknown>> {
  const api = protect(createResourceServer({ issuer, resource, dpop: dpopOptions(nonce) }))
  const app = new Hono()
  app.use(cors({ origin: web_app, exposeHeaders: ['WWW-Authenticate', 'DPoP-Nonce'] }))
  app.use(api.metadata)
  app.get('/notes', api.authenticate, api.checkScopes('notes.read'), (c) =>
    c.json({ reader: c.get('principal').getAuthIdentifier(), notes: ['Buy milk', 'Call Ben'] }),
  )
  return listen(app.fetch, Number(new URL(resource).port))
}
