import { type App, createApp } from '@ostiary/example-embed-app'

interface Env {
  ISSUER: string
  OIDC_SECRET: string
}

/** Settings come with the first request; after that it is the same application for all of this isolate's. */
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

  /** A cron trigger, in place of a timer: what no request waits for. */
  async scheduled(_event: unknown, env: Env): Promise<void> {
    const { provider } = await start(env)
    await provider.tick()
    // The runtime ends work that is not awaited.
    await provider.settled()
  },
}
