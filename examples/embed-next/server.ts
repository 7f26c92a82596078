/** Replaces `next start`: serves the route handlers at the paths of their folders. */

import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import * as documents from './app/.well-known/[...path]/route'
import * as login from './app/login/route'
import * as oauth from './app/oauth/[...path]/route'
import * as home from './app/route'
import { register } from './instrumentation'

await register()
const server = new Hono()
for (const [path, route] of [
  ['/', home],
  ['/login', login],
  ['/oauth/*', oauth],
  ['/.well-known/*', documents],
] as const)
  for (const [method, handler] of Object.entries(route)) server.on(method, path, (c) => handler(c.req.raw))

const port = Number(process.env.PORT || 3000)
serve({ fetch: server.fetch, port, hostname: '127.0.0.1' }, () =>
  console.log(`Listening on http://localhost:${port}`),
)
