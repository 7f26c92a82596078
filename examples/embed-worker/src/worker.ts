import { type App, createApp } from '@ostiary/example-embed-app'

interface Env {
  ISSUER: string
  OIDC_SECRET: string
}

/** Created with the first request, which brings the settings. All requests of the isolate share it. */
let started: Promise<App> | undefined
function start({ ISSUER, OIDC_SECRET }: Env): Promise<App> {
  started ??= createApp({ issuer: ISSUER, secret: OIDC_SECRET })
  return started
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { provider, home, showLogin, signIn } = await start(env)
    switch (`${request.method} ${new URL(request.url).pathname}`) {
      case 'GET /':
        return home(request)
      case 'GET /login':
        return showLogin(request)
      case 'POST /login':
        return signIn(request)
      default:
        return provider.fetch(request, { address: request.headers.get('cf-connecting-ip') ?? '' })
    }
  },

  /** The cron trigger runs the background jobs, in place of a timer. */
  async scheduled(_event: unknown, env: Env): Promise<void> {
    const { provider } = await start(env)
    await provider.tick()
    // The runtime stops work that is not awaited.
    await provider.settled()
  },
}
