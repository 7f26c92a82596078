import { app } from '../lib/app'

export const GET = async (request: Request): Promise<Response> => (await app()).home(request)
