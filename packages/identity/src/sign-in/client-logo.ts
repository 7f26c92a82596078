/** Serves the logo of a client, at the address that the pages have. */

import { isStorableText } from '@ostiary/core'
import type { Logo } from '../pages/client-logos.js'
import type { PageContext } from './context.js'

export async function getClientLogo(c: PageContext): Promise<Response> {
  const query = new URL(c.request.url).searchParams
  const logo = await findLogo(c, query.get('client_id') ?? '', query.get('v') ?? '')
  return logo
    ? logoResponse(logo)
    : new Response(null, { status: 404, headers: { 'cache-control': 'no-store' } })
}

async function findLogo(c: PageContext, client_id: string, version: string): Promise<Logo | null> {
  if (client_id === '' || !isStorableText(client_id)) return null
  const { clients } = await c.provider.manage(c.realm.id)
  const client = await clients.find(client_id)
  return client && c.logos.find(client, version)
}

/** The policy is for an SVG that is opened by itself: nothing in it runs or loads. */
const logoResponse = ({ type, body }: Logo): Response =>
  new Response(body, {
    headers: {
      'content-type': type,
      'cache-control': 'public, max-age=3600',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    },
  })
