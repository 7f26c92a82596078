/** Replaces `next start`: serves the two route handlers at the paths of their folders. */

import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import * as metadata from './app/.well-known/oauth-protected-resource/api/notes/route'
import * as notes from './app/api/notes/route'
import { resource } from './lib/api'

const app = new Hono()
for (const [path, route] of [
  ['/.well-known/oauth-protected-resource/api/notes', metadata],
  ['/api/notes', notes],
] as const)
  for (const [method, handler] of Object.entries(route)) app.on(method, path, (c) => handler(c.req.raw))

const port = Number(new URL(resource).port)
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () => console.log(`Listening on ${resource}`))
