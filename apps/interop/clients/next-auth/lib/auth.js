/** The settings of next-auth 4: a provider of one's own, and its guide "Refresh token rotation". */

export const options = {
  providers: [
    {
      id: 'ostiary',
      name: 'Ostiary',
      type: 'oauth',
      wellKnown: `${process.env.ISSUER}/.well-known/openid-configuration`,
      authorization: { params: { scope: 'openid email profile' } },
      idToken: true,
      checks: ['pkce', 'state'],
      clientId: process.env.CLIENT_ID,
      clientSecret: process.env.CLIENT_SECRET,
      profile: (profile) => ({ id: profile.sub, name: profile.name, email: profile.email }),
    },
  ],
  callbacks: {
    async jwt({ token, account }) {
      if (account) {
        const { access_token, refresh_token, id_token, expires_at } = account
        return { ...token, access_token, refresh_token, id_token, expires_at }
      }
      if (Date.now() < token.expires_at * 1000) return token
      return { ...token, ...(await refresh(token)) }
    },
    session: ({ session, token }) => ({ ...session, error: token.error }),
  },
}

async function refresh({ refresh_token }) {
  const response = await fetch(`${process.env.ISSUER}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: process.env.CLIENT_ID,
      client_secret: process.env.CLIENT_SECRET,
      grant_type: 'refresh_token',
      refresh_token,
    }),
  })
  if (!response.ok) return { error: 'RefreshAccessTokenError' }
  const tokens = await response.json()
  return {
    access_token: tokens.access_token,
    refresh_token: tokens.refresh_token,
    expires_at: Math.floor(Date.now() / 1000 + tokens.expires_in),
  }
}
