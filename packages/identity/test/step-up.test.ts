/** A client that requires a stronger sign-in than the session has (RFC 9470): the page says why, and asks once. */

import { describe, expect, it } from 'vitest'
import {
  authorizeUrl,
  type Browser,
  browser,
  openLogin,
  PASSWORD,
  plainPasswords,
  type Setup,
  setup,
} from './_setup.js'

const start = (acr: 'off' | 'require' = 'require') =>
  setup({
    stored: plainPasswords,
    identity: { passwords: plainPasswords },
    oidc: { acr },
    client: { trusted: true },
  })

async function signIn(s: Setup, b: Browser, params: Record<string, string> = {}) {
  const { url, fields, html } = await openLogin(s, b, params)
  const signed = await b.post(url, { ...fields, username: 'ada', password: PASSWORD })
  return { html, answer: await b.get(signed.headers.get('location') ?? '') }
}

/** A parameter of the redirect to the client. */
const parameter = (response: Response, name: string) =>
  new URL(response.headers.get('location') ?? '').searchParams.get(name)

const supported = async (s: Setup) =>
  (await (await browser(s).get(`${s.base('default')}/.well-known/openid-configuration`)).json())
    .acr_values_supported

describe('oidc.acr "require" and the built-in sign-in', () => {
  it('a password cannot reach the second value: it is not advertised, and the request fails before a sign-in', async () => {
    const s = await start()
    expect(await supported(s)).toEqual(['1'])
    const b = browser(s)
    const refused = await b.get(authorizeUrl(s, { acr_values: '2' }))
    expect(parameter(refused, 'error')).toBe('unmet_authentication_requirements')
    await signIn(s, b, { acr_values: '1' })
    const again = await b.get(authorizeUrl(s, { acr_values: '2' }))
    expect(parameter(again, 'error')).toBe('unmet_authentication_requirements')
    const silent = await b.get(authorizeUrl(s, { prompt: 'none' }))
    expect(parameter(silent, 'code')).toEqual(expect.any(String))
  })

  it('without the key: both values are advertised, and the request leads to the sign-in', async () => {
    const s = await start('off')
    expect(await supported(s)).toEqual(['1', '2'])
    expect(parameter((await signIn(s, browser(s), { acr_values: '2' })).answer, 'code')).toEqual(
      expect.any(String),
    )
  })

  it.each([
    ['en', 'asks for a more secure sign-in. Sign in again to continue.'],
    ['de', 'verlangt eine sicherere Anmeldung. Melden Sie sich bitte noch einmal an.'],
    ['fr', 'demande une connexion plus sûre. Connectez-vous à nouveau pour continuer.'],
  ])(
    'a session whose acr is not known: the page says why (%s); the password raises the session',
    async (ui_locales, text) => {
      const s = await start()
      const b = browser(s)
      await signIn(s, b)
      const before = await onlySession(s)
      const unknown = { ...before, acr: null, raised_at: before.created_at }
      const { sessions } = s.storage('default')
      await sessions.raise(before.sid, { ...unknown, session_hash: 'other' }, before.session_hash)
      await sessions.raise(before.sid, unknown, 'other')
      const { html, answer } = await signIn(s, b, { acr_values: '1', ui_locales })
      expect(html).toContain(`<bdi>Quarterly Reports</bdi> ${text}`)
      expect(parameter(answer, 'code')).toEqual(expect.any(String))
      expect(await onlySession(s)).toMatchObject({ sid: before.sid, acr: '1', amr: ['pwd'] })
    },
  )
})

async function onlySession(s: Setup) {
  const user = await s.users('default').findByUsername('ada')
  const sessions = await (await s.provider.manage()).sessions.list(user?.sub ?? '')
  const [session] = sessions
  if (!session || sessions.length > 1) throw new Error(`${sessions.length} sessions`)
  return session
}
