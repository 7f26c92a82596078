/** A browser that comes to a path of an extension. */

import type { SignInPrompt } from '../../pages/sign-in.js'
import type { ExtensionParts, PageContext } from '../context.js'
import { afterUpstream, expiredSignIn } from '../finish.js'
import { checkedForm, findPrompt, inLanguageOf } from '../login.js'
import type { Arrival, SignInVisit } from './seam.js'
import { formOf, visitOf } from './visit.js'

export function arrivalOf(
  c: PageContext,
  extension: ExtensionParts,
  own: Pick<Arrival, 'path' | 'account'>,
): Arrival {
  const form = () => formOf(c)
  const signIn = (page: PageContext, prompt: SignInPrompt): SignInVisit => ({
    ...visitOf(page, extension),
    return_to: prompt.return_to,
    login_hint: prompt.login_hint,
    client_id: prompt.client?.client_id ?? null,
    has_factors: page.factors !== null,
    finish: ({ user, cookies, ...proof }) =>
      afterUpstream(page, { prompt, user, cookies }, { ...proof, by: extension.ways.name }),
  })
  return {
    ...visitOf(c, extension),
    ...own,
    sessions: async () => (await c.provider.manage(c.realm.id, c.origin)).sessions,
    form,
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
