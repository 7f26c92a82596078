/** The forms of one user that have no fields, or one. */

import type { CommandLine } from '../commands/line.js'
import { type Act, actPage } from '../pages/act.js'
import { problemPage } from '../pages/errors.js'
import { oncePage } from '../pages/once.js'
import { timeOf } from '../pages/parts.js'
import { pathOf, type Visit } from '../visit.js'
import { claimOf, readUser, type ShownUser, userPath } from './user.js'

interface Read {
  user: ShownUser
  etag: string
}

const commandOf = (name: string, { sub }: ShownUser): CommandLine => ({
  name,
  args: [sub],
  options: [['sub', null]],
})

const named = ({ html }: Visit, { username }: ShownUser) => html`<bdi>${username}</bdi>`

/** What all of them have. */
const common = (c: Visit, { sub }: ShownUser) => ({ area: 'users', back: pathOf(c, 'users', sub) }) as const

const doneAt =
  (c: Visit, { sub }: ShownUser, done: string) =>
  () =>
    `${pathOf(c, 'users', sub)}?done=${done}`

function disable(c: Visit, { user }: Read): Act {
  const { html, text } = c
  return {
    ...common(c, user),
    title: text('disable.title'),
    intro: html`<p>${named(c, user)}</p><p>${text('disable.lead')}</p>`,
    button: text('disable.button'),
    destroys: true,
    shows_effects: true,
    deed: () => ({
      call: { method: 'POST', path: userPath(c, user.sub, '/disable') },
      commands: [commandOf('user disable', user)],
    }),
    done: doneAt(c, user, 'disabled'),
  }
}

function enable(c: Visit, { user }: Read): Act {
  const { html, text } = c
  return {
    ...common(c, user),
    title: text('enable.title'),
    intro: html`<p>${named(c, user)}</p><p>${text('enable.lead')}</p>`,
    button: text('enable.button'),
    deed: () => ({
      call: { method: 'POST', path: userPath(c, user.sub, '/enable') },
      commands: [commandOf('user enable', user)],
    }),
    done: doneAt(c, user, 'enabled'),
  }
}

function endAccess(c: Visit, { user }: Read): Act {
  const { html, text } = c
  const { sub } = user
  return {
    ...common(c, user),
    title: text('end_access.title'),
    intro: html`<p>${named(c, user)}</p><p>${text('end_access.lead')}</p>`,
    button: text('end_access.button'),
    destroys: true,
    shows_effects: true,
    deed: () => ({
      call: { method: 'POST', path: userPath(c, sub, '/end-access') },
      commands: [
        {
          name: 'session end',
          options: [
            ['user', sub],
            ['sub', null],
          ],
        },
        commandOf('grant revoke', user),
      ],
    }),
    done: doneAt(c, user, 'access_ended'),
  }
}

function remove(c: Visit, { user, etag }: Read): Act {
  const { html, text } = c
  return {
    ...common(c, user),
    title: text('delete_user.title'),
    intro: html`<p>${named(c, user)}</p><p>${text('delete_user.lead')}</p>`,
    kept: { etag: c.form.get('etag') ?? etag },
    button: text('delete_user.button'),
    destroys: true,
    needs_fresh: true,
    shows_effects: true,
    confirm: user.username,
    deed: (value) => ({
      call: { method: 'DELETE', path: userPath(c, user.sub), if_match: value('etag') || etag },
      commands: [commandOf('user delete', user)],
    }),
    done: () => `${pathOf(c, 'users')}?done=user_deleted`,
  }
}

function resetLimits(c: Visit, { user }: Read): Act {
  const { html, text } = c
  const { username } = user
  return {
    ...common(c, user),
    title: text('limits.reset'),
    intro: html`<p>${named(c, user)}</p><p>${text('limits.lead')}</p>`,
    button: text('limits.reset'),
    deed: () => ({
      call: {
        method: 'DELETE',
        path: `/realms/${encodeURIComponent(c.realm)}/throttles`,
        query: { username },
      },
      commands: [{ name: 'throttle reset', options: [['user', username]] }],
    }),
    done: doneAt(c, user, 'limits_reset'),
  }
}

function linkPage(c: Visit, user: ShownUser, { title, body }: { title: string; body: unknown }): Response {
  const { html, text } = c
  const { link, expires_at } = body as { link: string; expires_at: number }
  return oncePage(c, {
    area: 'users',
    title,
    lead: text('link.lead'),
    label: text('link.label'),
    value: link,
    more: html`<p class="aside">${text('link.until')} ${timeOf(c, expires_at)}</p>`,
    back: { href: pathOf(c, 'users', user.sub), text: text('link.back') },
  })
}

function recoveryLink(c: Visit, { user }: Read): Act {
  const { html, text } = c
  return {
    ...common(c, user),
    title: text('recovery.title'),
    intro: html`<p>${named(c, user)}</p><p>${text('recovery.lead')}</p>`,
    button: text('recovery.button'),
    needs_fresh: true,
    deed: () => ({
      call: { method: 'POST', path: userPath(c, user.sub, '/recovery-link') },
      commands: [commandOf('user recovery-link', user)],
    }),
    done: ({ body }) => linkPage(c, user, { title: text('recovery.title'), body }),
  }
}

function invite(c: Visit, { user }: Read): Act {
  const { html, text } = c
  const email = claimOf(user, 'email')
  const command: CommandLine = { name: 'user invite', args: [email], options: [['username', user.username]] }
  return {
    ...common(c, user),
    title: text('invite.title'),
    intro: html`<p>${named(c, user)}</p><p>${text('invite.lead')}</p>`,
    fields: [
      { name: 'print', label: text('invite.print'), kind: 'checkbox', hint: text('invite.print_hint') },
    ],
    values: { print: email === '' ? '1' : '' },
    button: text('invite.button'),
    needs_fresh: true,
    deed(value) {
      const print = value('print') === '1'
      const printed = { ...command, options: [...(command.options ?? []), ['print', null] as const] }
      return {
        call: { method: 'POST', path: userPath(c, user.sub, '/invitation'), body: print ? { print } : {} },
        commands: email === '' ? [] : [print ? printed : command],
      }
    },
    done({ body }) {
      const { link } = body as { link: string | null }
      if (link === null) return `${pathOf(c, 'users', user.sub)}?done=invited`
      return linkPage(c, user, { title: text('invite.title'), body })
    },
  }
}

const ACTS = {
  disable,
  enable,
  'end-access': endAccess,
  delete: remove,
  limits: resetLimits,
  'recovery-link': recoveryLink,
  invite,
}

/** Null where there is no such form. */
export async function userAct(c: Visit, sub: string, name: string): Promise<Response | null> {
  const act = Object.hasOwn(ACTS, name) ? ACTS[name as keyof typeof ACTS] : undefined
  if (act === undefined) return null
  const found = await readUser(c, sub)
  if ('status' in found) return problemPage(c, found)
  return actPage(c, act(c, found))
}

/** Withdraws the consent to a client. */
export async function revokeConsent(c: Visit, sub: string, client_id: string): Promise<Response> {
  const { html, text } = c
  const found = await readUser(c, sub)
  if ('status' in found) return problemPage(c, found)
  const { user } = found
  return actPage(c, {
    ...common(c, user),
    title: text('consents.title'),
    intro: html`<p>${named(c, user)}, <code>${client_id}</code></p><p>${text('consents.lead')}</p>`,
    button: text('consents.revoke'),
    destroys: true,
    shows_effects: true,
    deed: () => ({
      call: { method: 'DELETE', path: userPath(c, sub, `/consents/${encodeURIComponent(client_id)}`) },
      commands: [{ name: 'consent revoke', args: [sub, client_id], options: [['sub', null]] }],
    }),
    done: doneAt(c, user, 'consent_revoked'),
  })
}
