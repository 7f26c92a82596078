/** The forms that end one thing of a user: a factor, an account at another provider, a session, a consent. */

import type { Html } from '@ostiary/identity'
import type { CommandLine } from '../commands/line.js'
import { type Act, actPage } from '../pages/act.js'
import { refusalFor, refusalPage } from '../pages/errors.js'
import { linkButton, timeOf } from '../pages/parts.js'
import { readRecord } from '../pages/read.js'
import { apiPath, pathOf } from '../paths.js'
import type { Area, OwnVisit } from '../visit.js'
import { doneAt, named, ofAccess } from './act-parts.js'
import type { ShownSession } from './detail.js'
import { type ReadUser, readUser, type ShownUser } from './user.js'
import type { ShownFactor, ShownLink } from './ways.js'

/** One kind of thing. Its texts have its name. */
interface Ended {
  area: Area
  text: 'factors' | 'links' | 'session' | 'consents'
  done: string
  /** What the page calls it; null where the user has no such thing. */
  nameOf(c: OwnVisit, sub: string, id: string): Promise<Html | null | Response>
  command(sub: string, id: string): CommandLine
  /** The API asks for a recent sign-in, and keeps the last way to sign in. */
  is_way?: true
}

const OF_SUB = ['sub', null] as const

async function itemOf<Item>(
  c: OwnVisit,
  [sub, list]: readonly [string, string],
  is: (item: Item) => boolean,
): Promise<Item | null | Response> {
  const read = await readRecord<{ items: Item[] }>(c, apiPath(c, 'users', sub, list))
  return read instanceof Response ? read : (read.record.items.find(is) ?? null)
}

/** By their names in the paths of the API. */
const ENDS: Readonly<Record<string, Ended>> = {
  factors: {
    area: 'users',
    text: 'factors',
    done: 'factor_removed',
    is_way: true,
    async nameOf(c, sub, id) {
      const found = await itemOf<ShownFactor>(c, [sub, 'factors'], ({ factor_id }) => factor_id === id)
      if (found === null || found instanceof Response) return found
      return c.html`${c.text(`ways.${found.kind}`)} <bdi>${found.label}</bdi>`
    },
    command: (sub, id) => ({ name: 'user factors remove', args: [sub], options: [['id', id], OF_SUB] }),
  },
  links: {
    area: 'users',
    text: 'links',
    done: 'link_removed',
    is_way: true,
    async nameOf(c, sub, id) {
      const found = await itemOf<ShownLink>(c, [sub, 'links'], ({ upstream }) => upstream === id)
      if (found === null || found instanceof Response) return found
      return c.html`${c.text('ways.link', { upstream: id })} <bdi>${found.label}</bdi>`
    },
    command: (sub, id) => ({ name: 'user links remove', args: [sub], options: [['upstream', id], OF_SUB] }),
  },
  sessions: {
    area: 'sessions',
    text: 'session',
    done: 'session_ended',
    async nameOf(c, sub, id) {
      const found = await itemOf<ShownSession>(c, [sub, 'sessions'], ({ sid }) => sid === id)
      if (found === null || found instanceof Response) return found
      return c.html`<bdi>${found.user_agent ?? '–'}</bdi>, ${timeOf(c, found.created_at)}`
    },
    command: (sub, id) => ({ name: 'session end', options: [['sid', id], ['user', sub], OF_SUB] }),
  },
  consents: {
    area: 'consents',
    text: 'consents',
    done: 'consent_revoked',
    nameOf: async ({ html }, _sub, id) => html`<code>${id}</code>`,
    command: (sub, id) => ({ name: 'consent revoke', args: [sub, id], options: [OF_SUB] }),
  },
}

/** Null where there is no such kind. */
export async function endOne(c: OwnVisit, [sub, list, id]: readonly [string, string, string]) {
  const ended = Object.hasOwn(ENDS, list) ? ENDS[list] : undefined
  if (ended === undefined) return null
  const refusal = refusalFor(c, ended.area)
  if (refusal !== null) return refusal
  const found = await readUser(c, sub)
  if (found instanceof Response) return found
  const name = await ended.nameOf(c, sub, id)
  if (name instanceof Response) return name
  if (name === null) return refusalPage(c, 'not_found')
  return actPage(c, actOf(c, found.record, { ...ended, list, id, name }))
}

function actOf(c: OwnVisit, user: ReadUser, one: Ended & { list: string; id: string; name: Html }): Act {
  const { html, text } = c
  const { list, id, name, is_way = false } = one
  const who = html`<p>${named(c, user)}: ${name}</p>`
  return {
    ...ofAccess(c, user),
    title: text(`${one.text}.title`),
    intro: html`${who}<p>${text(`${one.text}.lead`)}</p>`,
    button: text(`${one.text}.button`),
    destroys: true,
    needs_fresh: is_way,
    shows_effects: true,
    ...(is_way && { when_refused: html`${who}${lastWay(c, user)}` }),
    deed: () => ({
      call: { method: 'DELETE', path: apiPath(c, 'users', user.sub, list, id) },
      commands: [one.command(user.sub, id)],
    }),
    done: doneAt(c, user, one.done),
  }
}

/** The API keeps the last way to sign in: what to do instead. */
const lastWay = (c: OwnVisit, { sub }: ShownUser): Html =>
  c.html`<p>${c.text('ways.last')}</p>
<p>${linkButton(c, { href: pathOf(c, 'users', sub, 'recovery-link'), text: c.text('recovery.button') })}</p>`
