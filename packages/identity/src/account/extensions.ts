/** What an extension does on the account page. */

import type { ExtensionParts } from '../sign-in/context.js'
import type { AccountVisit } from '../sign-in/extensions/seam.js'
import { type AccountContext, redirectWithNotice, userVisit } from './context.js'
import { FRESH_SECONDS, isFresh, raise, requireFresh } from './fresh.js'
import { canSignIn } from './link-ways.js'
import { report } from './password-problem.js'
import { showAccount } from './view.js'

export const accountVisit = (c: AccountContext, extension: ExtensionParts): AccountVisit => ({
  ...userVisit(c, extension),
  async fresh(params, form) {
    if (c.factors !== null) return requireFresh(c, params, form)
    // Where the realm has no factors, only a new sign-in is a fresh proof.
    return isFresh(c, [], FRESH_SECONDS) ? { cookies: [] } : null
  },
  refuse(action, { reason, cookies, ...problem }) {
    report(c, { action, reason })
    return showAccount(c, { at: 'page', ...problem }, cookies)
  },
  done: (notice, cookies) => redirectWithNotice(c, notice, cookies),
  async confirmed(user, cookies) {
    const by = extension.ways.name
    const proofs = [{ kind: 'upstream', at: c.now(), by, second_factor: false, marks: [] } as const]
    const raised = await raise(c, { user, proofs })
    return raised instanceof Response
      ? raised
      : redirectWithNotice(c, 'confirmed', [...raised.cookies, ...cookies])
  },
  async canSignIn(links) {
    const { user } = c
    return canSignIn(c, { user, links, factors: (await c.factors?.store.list(user.sub)) ?? [] })
  },
})
