/** The pages of the terms of service, which another package makes. */

import { declinedPage, termsPage } from '../../terms/src/pages.js'
import type { TermsSettings } from '../../terms/src/settings.js'
import { html } from '../src/pages/html.js'
import { renderPage } from '../src/pages/page.js'
import type { SignInVisit } from '../src/sign-in/extensions/seam.js'
import type { User } from '../src/users/user-store.js'
import { NOW, type Sample, type Show, type States, USER, USERNAME } from './sample.js'

const TERMS: TermsSettings = { version: '2026-11-01', url: 'https://example.com/terms' }
const WITH_NOTICE: TermsSettings = { ...TERMS, privacy_url: 'https://example.com/privacy' }
const user = { ...USER, username: USERNAME } as unknown as User
const FORMER = { ...user, terms: { version: '2025-01-01', accepted_at: NOW } }

/** What the pages use of a request. */
const visitOf = (sample: Sample): SignInVisit =>
  ({
    ...sample,
    html,
    seal: () => '',
    return_to: '',
    client_id: 'app',
    page: (page: Parameters<SignInVisit['page']>[0]) => renderPage(sample, { realm: sample.realm, ...page }),
  }) as unknown as SignInVisit

const terms =
  (asked: Partial<Parameters<typeof termsPage>[1]>): Show =>
  (sample) => {
    const waiting = { id: '' } as Parameters<typeof termsPage>[1]['waiting']
    return termsPage(visitOf(sample), { waiting, user, settings: TERMS, ...asked })
  }

export const TERMS_PAGES: States = {
  'Terms of service': terms({}),
  'Terms of service, with a privacy notice': terms({ settings: WITH_NOTICE }),
  'Terms of service, a new version': terms({ settings: WITH_NOTICE, user: FORMER }),
  'Terms of service, not confirmed': terms({ not_confirmed: true }),
  'Terms of service, not accepted': (sample) => declinedPage(visitOf(sample), []),
}
