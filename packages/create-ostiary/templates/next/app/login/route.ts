import { application } from '../../application.ts'

export const GET = async (request: Request): Promise<Response> => (await application()).showLogin(request)
export const POST = async (request: Request): Promise<Response> => (await application()).signIn(request)
