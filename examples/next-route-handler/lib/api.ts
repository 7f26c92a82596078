import { createResourceServer } from '@ostiary/resource-server'

const { PORT = '4004', ISSUER = 'http://localhost:3000' } = process.env

export const resource = `http://localhost:${PORT}/api/notes`

export const api = createResourceServer({
  issuer: ISSUER,
  resource,
  scopes_supported: ['notes.read', 'notes.write'],
  on_refused: ({ code, reason }) => console.warn(code, reason),
})
