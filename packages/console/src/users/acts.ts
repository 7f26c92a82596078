/** The forms of one user that have no fields, or one. */

import type { CommandLine } from '../commands/line.js'
import { type Act, actPage } from '../pages/act.js'
import { oncePage } from '../pages/once.js'
import { timeOf } from '../pages/parts.js'
import type { ReadRecord } from '../pages/read.js'
import { apiPath, pathOf } from '../paths.js'
import type { OwnVisit } from '../visit.js'
import { common, doneAt, named, ofAccess } from './act-parts.js'
import { claimOf, type ReadUser, readUser, type ShownUser } from './user.js'

type Read = ReadRecord<ReadUser>

const commandOf = (name: string, { sub }: ShownUser): CommandLine => ({
  name,
  args: [sub],
  options: [['sub', null]],
})

/** A form without fields that ends or gives access; its texts and its operation have its name. */
const plainAct =
  (name: 'disable' | 'enable' | 'end_access', { commands, done, destroys = true }: PlainAct) =>
  (c: OwnVisit, { record: user }: Read): Act => {
    const { html, text } = c
    return {
      ...ofAccess(c, user),
      title: text(`${name}.title`),
      intro: html`<p>${named(c, user)}</p><p>${text(`${name}.lead`)}</p>`,
      button: text(`${name}.button`),
      destroys,
      shows_effects: destroys,
      deed: () => ({
        call: { method: 'POST', path: apiPath(c, 'users', user.sub, name.replace('_', '-')) },
        commands: commands(user),
      }),
      done: doneAt(c, user, done),
    }
  }

interface PlainAct {
  commands(user: ShownUser): CommandLine[]
  done: string
  destroys?: boolean
}

const disable = plainAct('disable', {
  commands: (user) => [commandOf('user disable', user)],
  done: 'disabled',
})

const enable = plainAct('enable', {
  commands: (user) => [commandOf('user enable', user)],
  done: 'enabled',
  destroys: false,
})

const endAccess = plainAct('end_access', {
  commands: (user) => [sessionEnd(user), commandOf('grant revoke', user)],
  done: 'access_ended',
})

const sessionEnd = ({ sub }: ShownUser): CommandLine => ({
  name: 'session end',
  options: [
    ['user', sub],
    ['sub', null],
  ],
})

function remove(c: OwnVisit, { record: user, etag }: Read): Act {
  const { html, text } = c
  return {
    ...common(c, user),
    title: text('delete_user.button'),
    intro: html`<p>${named(c, user)}</p><p>${text('delete_user.lead')}</p>`,
    kept: { etag },
    button: text('delete_user.button'),
    destroys: true,
    needs_fresh: true,
    shows_effects: true,
    confirm: user.username,
    deed: (value) => ({
      call: { method: 'DELETE', path: apiPath(c, 'users', user.sub), if_match: value('etag') },
      commands: [commandOf('user delete', user)],
    }),
    done: () => `${pathOf(c, 'users')}?done=user_deleted`,
  }
}

function resetLimits(c: OwnVisit, { record: user }: Read): Act {
  const { html, text } = c
  const { username } = user
  return {
    ...ofAccess(c, user),
    title: text('limits.reset'),
    intro: html`<p>${named(c, user)}</p><p>${text('limits.lead')}</p>`,
    button: text('limits.reset'),
    deed: () => ({
      call: {
        method: 'DELETE',
        path: apiPath(c, 'throttles'),
        query: { username },
      },
      commands: [{ name: 'throttle reset', options: [['user', username]] }],
    }),
    done: doneAt(c, user, 'limits_reset'),
  }
}

function linkPage(c: OwnVisit, user: ShownUser, { title, body }: { title: string; body: unknown }): Response {
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

function recoveryLink(c: OwnVisit, { record: user }: Read): Act {
  const { html, text } = c
  const access = ofAccess(c, user)
  return {
    ...access,
    refused:
      access.refused ??
      (user.disabled_at === null ? null : html`<p class="note done">${text('recovery.disabled')}</p>`),
    title: text('recovery.title'),
    intro: html`<p>${named(c, user)}</p><p>${text('recovery.lead')}</p>`,
    button: text('recovery.button'),
    needs_fresh: true,
    deed: () => ({
      call: { method: 'POST', path: apiPath(c, 'users', user.sub, 'recovery-link') },
      commands: [commandOf('user recovery-link', user)],
    }),
    done: ({ body }) => linkPage(c, user, { title: text('recovery.title'), body }),
  }
}

function invite(c: OwnVisit, { record: user }: Read): Act {
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
        call: {
          method: 'POST',
          path: apiPath(c, 'users', user.sub, 'invitation'),
          body: print ? { print } : {},
        },
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

const ACTS = new Map(
  Object.entries({
    disable,
    enable,
    'end-access': endAccess,
    delete: remove,
    limits: resetLimits,
    'recovery-link': recoveryLink,
    invite,
  }),
)

/** Null where there is no such form. */
export async function userAct(c: OwnVisit, sub: string, name: string): Promise<Response | null> {
  const actOf = ACTS.get(name)
  if (actOf === undefined) return null
  const found = await readUser(c, sub)
  return found instanceof Response ? found : actPage(c, actOf(c, found))
}
