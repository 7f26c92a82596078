import { api } from '../../../../../lib/api'

const serve = (request: Request): Response => api.handle(request) ?? new Response(null, { status: 404 })

export { serve as GET, serve as OPTIONS }
