/** A client that requires a stronger sign-in than the session has (RFC 9470): the page says why, and asks once. */

import { describe, expect, it } from 'vitest'
import { authorizeUrl, browser, openLogin, PASSWORD, plainPasswords, setup } from './_setup.js'

const start = () =>
  setup({
    stored: plainPasswords,
    identity: { passwords: plainPasswords },
    oidc: { acr: { required: true } },
    client: { trusted: true },
  })

describe('oidc.acr.required and a session with a password alone', () => {
  it.each([
    ['en', 'asks for a more secure sign-in. Sign in again to continue.'],
    ['de', 'verlangt eine sicherere Anmeldung. Melden Sie sich bitte noch einmal an.'],
    ['fr', 'demande une connexion plus sûre. Connectez-vous à nouveau pour continuer.'],
  ])(
    'the sign-in page says why (%s); a password again leads back with an error',
    async (ui_locales, text) => {
      const s = await start()
      const b = browser(s)
      const first = await openLogin(s, b)
      await b.post(first.url, { ...first.fields, username: 'ada', password: PASSWORD })
      const { url, fields, html } = await openLogin(s, b, { acr_values: '2', ui_locales })
      expect(html).toContain(`<bdi>Quarterly Reports</bdi> ${text}`)
      const signed = await b.post(url, { ...fields, username: 'ada', password: PASSWORD })
      const back = await b.get(signed.headers.get('location') ?? '')
      const location = new URL(back.headers.get('location') ?? '')
      expect(location.searchParams.get('error')).toBe('unmet_authentication_requirements')
      const silent = await b.get(authorizeUrl(s, { prompt: 'none' }))
      expect(new URL(silent.headers.get('location') ?? '').searchParams.get('code')).toEqual(
        expect.any(String),
      )
    },
  )
})
