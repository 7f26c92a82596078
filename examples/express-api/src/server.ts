import { createResourceServer } from '@ostiary/resource-server'
import { protect } from '@ostiary/resource-server/express'
import express from 'express'

const { PORT = '4002', ISSUER = 'http://localhost:3000' } = process.env
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

const app = express()
app.use(api.metadata)
app.get('/notes', api.authenticate, api.checkScopes('notes.read'), (req, res) => {
  res.json({ reader: req.principal?.getAuthIdentifier(), notes })
})
app.delete('/notes', api.authenticate, api.checkScopes('notes.write'), (_req, res) => {
  notes = []
  res.status(204).end()
})

app.listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on ${resource}`))
