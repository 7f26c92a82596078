/** The forms that make, change and delete a realm. */

import { actPage, apiPath, type Field, pathOf } from '@ostiary/console'
import type { ShownRealm } from '../shown.js'
import { isUnread, type OwnVisit, typedSettings } from './visit.js'

const AREA = { area: 'realms' } as const

/** As they are typed. */
export const writtenSettings = ({ oidc, identity }: Pick<ShownRealm, 'oidc' | 'identity'>): string =>
  JSON.stringify({ oidc, identity }, null, 2)

const settingsField = ({ text }: OwnVisit): Field => ({
  name: 'settings',
  label: text('realm.settings'),
  hint: text('edit.hint'),
  kind: 'lines',
  // Of any member.
  pointers: [''],
})

/** The command with what was typed; none for a text that is no JSON. */
const commandsOf = (name: string, id: string, typed: { settings: object; replace?: true }) =>
  isUnread(typed.settings)
    ? []
    : [
        {
          name,
          of_server: true as const,
          args: [id],
          options: [
            ...(typed.replace ? [['replace', null] as const] : []),
            ['settings', JSON.stringify(typed.settings)] as const,
          ],
        },
      ]

export function createPage(c: OwnVisit): Promise<Response> {
  const { html, text } = c
  const id = (c.form.get('id') ?? '').trim()
  return actPage(c, {
    ...AREA,
    title: text('realms.new'),
    intro: html`<p>${text('create.lead')}</p>`,
    fields: [
      { name: 'id', label: text('realm.id'), hint: text('create.id_hint'), required: true, max_length: 63 },
      settingsField(c),
    ],
    values: { settings: writtenSettings({ oidc: {}, identity: {} }) },
    button: text('create.button'),
    back: pathOf(c, 'realms'),
    deed(value) {
      const settings = typedSettings(value('settings'))
      return {
        call: { method: 'PUT', path: apiPath({ realm: id }), body: settings, is_new: true },
        commands: commandsOf('realm create', id, { settings }),
      }
    },
    done: () => `${pathOf(c, 'realms', id)}?done=realm_created`,
  })
}

export function editPage(c: OwnVisit, realm: ShownRealm, etag: string): Promise<Response> {
  const { html, text } = c
  const { id } = realm
  const back = pathOf(c, 'realms', id)
  return actPage(c, {
    ...AREA,
    title: text('edit.title'),
    intro: html`<p><code>${id}</code></p>`,
    fields: [settingsField(c)],
    values: { settings: writtenSettings(realm) },
    kept: { etag },
    button: text('edit.button'),
    back,
    deed(value) {
      const settings = typedSettings(value('settings'))
      return {
        call: { method: 'PUT', path: apiPath({ realm: id }), body: settings, if_match: value('etag') },
        commands: commandsOf('realm update', id, { settings, replace: true }),
      }
    },
    done: () => `${back}?done=realm_changed`,
  })
}

export function deletePage(c: OwnVisit, { id }: ShownRealm, etag: string): Promise<Response> {
  const { html, text } = c
  return actPage(c, {
    ...AREA,
    title: text('delete.button'),
    intro: html`<p><code>${id}</code></p><p>${text('delete.lead')}</p>`,
    kept: { etag },
    button: text('delete.button'),
    destroys: true,
    needs_fresh: true,
    shows_effects: true,
    confirm: id,
    back: pathOf(c, 'realms', id),
    deed: (value) => ({
      call: { method: 'DELETE', path: apiPath({ realm: id }), if_match: value('etag') },
      commands: [{ name: 'realm delete', of_server: true, args: [id] }],
    }),
    done: () => `${pathOf(c, 'realms')}?done=realm_deleted`,
  })
}
