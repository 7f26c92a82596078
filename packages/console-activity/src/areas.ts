/** withActivity(): the areas of this package, before and after those of others. */

import type { PageArea } from '@ostiary/console'
import { auditPages } from './audit/pages.js'
import { explainPages } from './explain/page.js'
import { findField, findPage } from './find/page.js'
import { homePage } from './home/home.js'
import { STYLE } from './pages/style.js'
import { signInsPage } from './sign-ins/list.js'
import { own } from './visit.js'

/** What the pages are made with. */
export interface ActivityOptions {
  /** The sentence with the remedy for an event that refuses something: `hintOfEvent` of `@ostiary/core`. Null for one without it. */
  hintOf: (event: { type: string; reason?: string }) => string | null
}

/**
 * The pages home, sign-ins and audit, around those of `areas`, and what the field *Find* leads to.
 *
 * @example
 * ```ts
 * import { createConsole, usersArea, type ConsoleOptions } from '@ostiary/console'
 * import { withActivity } from '@ostiary/console-activity'
 * import { hintOfEvent } from '@ostiary/core'
 *
 * export const administration = (options: ConsoleOptions) =>
 *   createConsole({ ...options, areas: withActivity([usersArea], { hintOf: hintOfEvent }) })
 * ```
 */
export function withActivity(areas: readonly PageArea[], { hintOf }: ActivityOptions): PageArea[] {
  return [
    {
      name: '',
      title: ['Home', 'Übersicht', 'Accueil'],
      needs: null,
      answer: (c, parts) => homePage(own(c), parts, hintOf),
      style: STYLE,
    },
    ...areas,
    {
      name: 'sign-ins',
      title: ['Sign-ins', 'Anmeldungen', 'Connexions'],
      needs: 'audit',
      answer: (c, parts) => signInsPage(own(c), parts),
    },
    {
      name: 'audit',
      title: ['Audit', 'Audit', 'Audit'],
      needs: 'audit',
      answer: (c, parts) => auditPages(own(c), parts),
    },
    { name: 'explain', needs: 'users', answer: (c, parts) => explainPages(own(c), parts) },
    {
      name: 'find',
      needs: null,
      answer: (c, parts) => findPage(own(c), parts),
      everywhere: (c) => findField(own(c)),
    },
  ]
}
