import { app } from '../../lib/app'

export const GET = async (request: Request): Promise<Response> => (await app()).showLogin(request)
export const POST = async (request: Request): Promise<Response> => (await app()).signIn(request)
