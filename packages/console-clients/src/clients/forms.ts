/** The forms that create a client, give it a new secret, and delete it; and which form a path has. */

import {
  type Act,
  actPage,
  apiPath,
  type Field,
  linesIn,
  oncePage,
  pathOf,
  type ReadRecord,
} from '@ostiary/console'
import type { OwnVisit } from '../visit.js'
import { type ReadClient, readClient, type ShownClient } from './client.js'
import { aboutClient } from './detail.js'
import { common, edit } from './edit.js'
import { ADDRESSES, fieldsOf, type Option, type Value } from './fields.js'
import { type Kind, PRESETS } from './kinds.js'

type Read = ReadRecord<ReadClient>

/** The secret, what the client is, and how to connect it. */
async function secretPage(
  c: OwnVisit,
  client: ShownClient,
  { title, secret }: { title: string; secret: string },
): Promise<Response> {
  const { text } = c
  return oncePage(c, {
    area: 'clients',
    title,
    lead: text('secret.once'),
    label: text('secret.label'),
    value: secret,
    more: await aboutClient(c, client),
    back: { href: pathOf(c, 'clients', client.client_id), text: text('client.to') },
  })
}

/** Small letters and digits of a name, with dashes between its words. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')

const MOST_TRIED = 20

/** The id that was typed, or one of the name that no client has. */
async function idIn(c: OwnVisit): Promise<string> {
  const typed = (c.form.get('client_id') ?? '').trim()
  const slug = slugOf(c.form.get('client_name') ?? '')
  if (typed !== '' || slug === '') return typed
  for (let number = 1; number < MOST_TRIED; number += 1) {
    const id = number === 1 ? slug : `${slug}-${number}`
    const { status } = await c.api({ method: 'GET', path: apiPath(c, 'clients', id) })
    if (status === 404) return id
  }
  return slug
}

export async function createClientPage(c: OwnVisit, kind: Kind): Promise<Response> {
  const { html, text } = c
  const client_id = await idIn(c)
  const [name, ...addresses] = fieldsOf(c, kind !== 'machine')
  const id: Field = {
    name: 'client_id',
    label: text('client.id'),
    hint: text('client.id_hint'),
    max_length: 255,
    pointers: ['/client_id'],
  }
  return actPage(c, {
    area: 'clients',
    title: text(`kind.${kind}`),
    intro: html`<p>${text(`kind.${kind}.about`)}</p>`,
    fields: [...(name ? [name] : []), id, ...addresses],
    faults: client_id === '' ? [{ pointer: '/client_id', message: text('client.id_needed') }] : [],
    button: text('clients.create'),
    back: pathOf(c, 'clients', 'new'),
    deed: (value) => creation(c, { kind, client_id }, value),
    done({ body }) {
      const client = body as ShownClient & { client_secret?: string }
      const { client_secret: secret } = client
      if (secret !== undefined) return secretPage(c, client, { title: text('done.client_created'), secret })
      return `${pathOf(c, 'clients', client.client_id)}?done=client_created`
    },
  })
}

function creation(c: OwnVisit, { kind, client_id }: { kind: Kind; client_id: string }, value: Value) {
  const client_name = value('client_name')
  const lists = ADDRESSES.map(([name, option]) => ({ name, option, uris: linesIn(value(name)) }))
  const preset = PRESETS[kind]
  const options: Option[] = [
    ['id', client_id],
    ...(client_name === '' ? [] : [['name', client_name] as const]),
    ...lists.flatMap(({ option, uris }) => uris.map((uri): Option => [option, uri])),
    ...preset.options,
  ]
  const body = {
    ...(client_name !== '' && { client_name }),
    ...Object.fromEntries(lists.flatMap(({ name, uris }) => (uris.length === 0 ? [] : [[name, uris]]))),
    ...preset.body,
  }
  return {
    call: { method: 'PUT', path: apiPath(c, 'clients', client_id), body, is_new: true } as const,
    commands: [{ name: 'client create', options }],
  }
}

function newSecret(c: OwnVisit, { record: client }: Read): Act {
  const { html, text } = c
  const { client_id } = client
  return {
    ...common(c, client),
    title: text('secret.title'),
    intro: html`<p><code>${client_id}</code></p><p>${text('secret.lead')}</p>`,
    button: text('secret.button'),
    destroys: true,
    deed: () => ({
      call: { method: 'POST', path: apiPath(c, 'clients', client_id, 'secret') },
      commands: [{ name: 'client rotate-secret', args: [client_id] }],
    }),
    done: ({ body }) =>
      secretPage(c, client, {
        title: text('secret.title'),
        secret: (body as { client_secret: string }).client_secret,
      }),
  }
}

function remove(c: OwnVisit, { record: client, etag }: Read): Act {
  const { html, text } = c
  const { client_id } = client
  return {
    ...common(c, client),
    title: text('delete_client.button'),
    intro: html`<p><bdi>${client.client_name}</bdi></p><p>${text('delete_client.lead')}</p>`,
    kept: { etag },
    button: text('delete_client.button'),
    destroys: true,
    needs_fresh: true,
    shows_effects: true,
    confirm: client_id,
    deed: (value) => ({
      call: { method: 'DELETE', path: apiPath(c, 'clients', client_id), if_match: value('etag') },
      commands: [{ name: 'client delete', args: [client_id] }],
    }),
    done: () => `${pathOf(c, 'clients')}?done=client_deleted`,
  }
}

const ACTS = { edit, secret: newSecret, delete: remove }

/** Null where there is no such form. */
export async function clientAct(c: OwnVisit, client_id: string, name: string): Promise<Response | null> {
  const act = Object.hasOwn(ACTS, name) ? ACTS[name as keyof typeof ACTS] : undefined
  if (act === undefined) return null
  const found = await readClient(c, client_id)
  if (found instanceof Response) return found
  return actPage(c, await act(c, found))
}
