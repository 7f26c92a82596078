/** The path of each endpoint below its realm. routes.ts routes these paths; urls.ts makes absolute URLs of them. */

export const PATHS = {
  authorize: '/oauth/authorize',
  /** Continues an authorization request that waits for a login. */
  resume: '/oauth/authorize/resume',
  consent: '/oauth/authorize/consent',
  /** Takes pushed authorization requests. */
  par: '/oauth/par',
  token: '/oauth/token',
  register: '/oauth/register',
  userinfo: '/oauth/userinfo',
  end_session: '/oauth/logout',
  introspect: '/oauth/introspect',
  revoke: '/oauth/revoke',
  jwks: '/.well-known/jwks.json',
  discovery: '/.well-known/openid-configuration',
  authorization_server: '/.well-known/oauth-authorization-server',
  protected_resource: '/.well-known/oauth-protected-resource',
} as const

/** The prefix of a realm's path, where realms are routed by path: `/realms/<id>`. */
export const REALM_PATH_PREFIX = '/realms/'
