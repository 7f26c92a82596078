import { getToken } from 'next-auth/jwt'

/** Ends the session at the provider, which then sends the browser to the sign-out page of next-auth. */
export async function GET(req) {
  const { id_token } = await getToken({ req })
  const query = new URLSearchParams({
    id_token_hint: id_token,
    post_logout_redirect_uri: `${process.env.BASE_URL}/api/auth/signout`,
  })
  return Response.redirect(`${process.env.ISSUER}/oauth/logout?${query}`)
}
