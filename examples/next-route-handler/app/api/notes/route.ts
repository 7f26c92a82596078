import { api } from '../../../lib/api'

let notes = ['Buy milk', 'Call Ben']

export async function GET(request: Request): Promise<Response> {
  const principal = await api.authenticate(request, ['notes.read'])
  if (principal instanceof Response) return principal
  return Response.json({ reader: principal.getAuthIdentifier(), notes })
}

export async function DELETE(request: Request): Promise<Response> {
  const principal = await api.authenticate(request, ['notes.write'])
  if (principal instanceof Response) return principal
  notes = []
  return new Response(null, { status: 204 })
}
