/** The page for a user who may not use a client, which another package makes. */

import type { Interactions, RefusedPrompt } from '@ostiary/core'
import { clientName } from '../../pages/client-name.js'
import { type Html, html } from '../../pages/html.js'
import { renderPage } from '../../pages/page.js'
import type { PageContext } from '../context.js'
import { pageForm } from '../page-form.js'
import type { Visit } from './seam.js'

/** What the page is made with. */
export interface RefusedView extends Pick<Visit, 'language' | 'html'> {
  prompt: RefusedPrompt
  /** Of the client. */
  name: Html
  /** The form *Back*. Null where no request waits. */
  back: { action: string; fields: Html } | null
  /** Answers 403. */
  page(page: { title: string; body: Html }): Response
}

/** Makes the page. */
export type RefusedPage = (view: RefusedView) => Response | Promise<Response>

export const refusedInteraction =
  (
    { theme, languages, csrf }: Pick<PageContext, 'theme' | 'languages' | 'csrf'>,
    show: RefusedPage,
  ): NonNullable<Interactions['refused']> =>
  async (prompt) => {
    const { realm, request, client, return_to, reference, ui_locales } = prompt
    const language = languages.choose(ui_locales, request)
    const form = return_to === null ? null : pageForm({ csrf, request, realm }, return_to)
    return show({
      prompt,
      language,
      name: clientName(language, client),
      back: form?.target('back') ?? null,
      html,
      page: (page) =>
        renderPage(
          { theme, language, reference },
          { realm, ...page, status: 403, form_leads_to: 'client', cookies: [form?.set_cookie ?? null] },
        ),
    })
  }
