import { application } from '../application.ts'

export const GET = async (request: Request): Promise<Response> => (await application()).home(request)
