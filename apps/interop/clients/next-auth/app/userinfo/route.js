import { getToken } from 'next-auth/jwt'

export async function GET(req) {
  const { access_token } = await getToken({ req })
  const headers = { authorization: `Bearer ${access_token}` }
  return fetch(`${process.env.ISSUER}/oauth/userinfo`, { headers })
}
