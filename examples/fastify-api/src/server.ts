import { createResourceServer } from '@ostiary/resource-server'
import { protect } from '@ostiary/resource-server/fastify'
import Fastify from 'fastify'

const { PORT = '4003', ISSUER = 'http://localhost:3000' } = process.env
const resource = `http://localhost:${PORT}/notes`
const api = protect(
  createResourceServer({
    issuer: ISSUER,
    resource,
    scopes_supported: ['notes.read', 'notes.write'],
    on_refused: ({ code, reason }) => console.warn(code, reason),
  }),
)

let notes = ['Buy milk', 'Call Ben']

const app = Fastify()
await app.register(api.plugin)
app.get('/notes', { onRequest: [api.authenticate, api.checkScopes('notes.read')] }, (request) => ({
  reader: request.principal?.getAuthIdentifier(),
  notes,
}))
app.delete('/notes', { onRequest: [api.authenticate, api.checkScopes('notes.write')] }, (_request, reply) => {
  notes = []
  return reply.code(204).send()
})

await app.listen({ port: Number(PORT), host: '127.0.0.1' })
console.log(`Listening on ${resource}`)
