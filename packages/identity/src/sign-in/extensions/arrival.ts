/** A browser that comes to a path of an extension. */

import type { SignInPrompt } from '../../pages/sign-in.js'
import { withCookies } from '../complete-sign-in.js'
import type { ExtensionParts, PageContext } from '../context.js'
import { isAsked } from '../enrolment.js'
import { afterUpstream, endWith, expiredSignIn } from '../finish.js'
import { checkedForm, elsewhere, findPrompt, goBack, inLanguageOf } from '../login.js'
import { pageForm } from '../page-form.js'
import { hasPassword } from '../passwords-of.js'
import type { SignInProof } from '../proofs.js'
import type { Arrival, CodeMail, SignInVisit } from './seam.js'
import { pageVisitOf, visitOf } from './visit.js'

interface OwnOfPath extends Pick<Arrival, 'path' | 'account'> {
  /** Queues the mail. */
  send(c: PageContext, mail: CodeMail): Promise<boolean>
}

function formOfSignIn(c: PageContext, { return_to }: SignInPrompt) {
  const form = pageForm(c, return_to)
  return { fields: form.target().fields, csrf_cookie: form.set_cookie }
}

export function arrivalOf(c: PageContext, extension: ExtensionParts, { send, ...own }: OwnOfPath): Arrival {
  const managed = () => c.provider.manage(c.realm.id, c.origin)
  const visit = pageVisitOf(c, extension, own.path)
  let read: ReturnType<Arrival['form']> | undefined
  const form = () => {
    read ??= visit.form()
    return read
  }
  const signIn = (page: PageContext, prompt: SignInPrompt): SignInVisit => ({
    ...visitOf(page, extension),
    return_to: prompt.return_to,
    login_hint: prompt.login_hint,
    client_id: prompt.client?.client_id ?? null,
    has_factors: page.factors !== null,
    ...formOfSignIn(page, prompt),
    elsewhere: (username) => elsewhere(page, { username, return_to: prompt.return_to }),
    send: async (mail) => page.mail !== null && send(page, mail),
    needsFactor: async (user) =>
      !hasPassword(page, user) && ((await page.factors?.store.list(user.sub)) ?? []).some(isAsked),
    finish: ({ user, cookies, known_device = false, ...proof }) =>
      afterUpstream(page, { prompt, user, cookies, known_device }, { ...proof, by: extension.ways.name }),
    proceed: ({ proofs, ...proved }) => endWith(page, { prompt, ...proved }, proofs as SignInProof[]),
    cancel: async (cookies) => withCookies(await goBack(page, prompt), cookies),
  })
  return {
    ...visit,
    ...own,
    form,
    sessions: async () => (await managed()).sessions,
    endAccess: async (sub) => void (await (await managed()).users.endAccess(sub)),
    async posted() {
      const params = await form()
      const checked = params instanceof Response ? params : await checkedForm(c, params)
      return checked instanceof Response ? checked : signIn(checked.c, checked.prompt)
    },
    async waiting(return_to) {
      const prompt = await findPrompt(c, return_to)
      return prompt ? signIn(inLanguageOf(c, prompt), prompt) : expiredSignIn(c)
    },
  }
}
