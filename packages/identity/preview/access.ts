/** The page for users who may not use an application, which another package makes. */

import type { RefusedPrompt } from '@ostiary/core'
import { refusedPage } from '../../access-rules/src/refused.js'
import { html } from '../src/pages/html.js'
import { renderPage } from '../src/pages/page.js'
import { REDIRECT_URI, REQUEST, type Sample, type Show, type States, TARGET, USER } from './sample.js'

const WAITS = { return_to: 'waits', redirect_uri: REDIRECT_URI }
const DEVICE = { return_to: null, redirect_uri: null }
const LONG_NAME = 'Rechnungsprüfungsverwaltungsgesellschaft'

function promptOf({ realm, client, reference }: Sample, more: Partial<RefusedPrompt>): RefusedPrompt {
  return {
    realm,
    client,
    user: USER,
    rule: 'groups',
    reference,
    request: REQUEST,
    ui_locales: [],
    ...WAITS,
    ...more,
  }
}

const refused =
  (more: Partial<RefusedPrompt> = {}, { help, name }: { help?: string; name?: string } = {}): Show =>
  (sample) => {
    const prompt = promptOf(sample, more)
    const view = {
      prompt,
      language: sample.language,
      name: html`<bdi>${name ?? sample.client.client_name}</bdi>`,
      back: prompt.return_to === null ? null : TARGET,
      html,
      page: (page: Parameters<Parameters<typeof refusedPage>[0]['page']>[0]) =>
        renderPage(sample, { realm: sample.realm, ...page, status: 403, form_leads_to: 'client' as const }),
    }
    return refusedPage(view, help)
  }

export const ACCESS: States = {
  'No access': refused(),
  'No access, with whom to ask': refused({}, { help: 'Write to it@corp.example if you need access.' }),
  'No access, a long name': refused({}, { name: LONG_NAME }),
  'No access for a device': refused(DEVICE),
  'No access for a device, too weak a sign-in': refused({ ...DEVICE, rule: 'acr' }),
}
