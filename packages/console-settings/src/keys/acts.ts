/** The forms that publish a new signing key, and revoke one. */

import { actPage, apiPath, type Field } from '@ostiary/console'
import { common, doneAt } from '../acts.js'
import type { OwnVisit } from '../visit.js'
import type { ShownKey } from './key.js'

export function rotatePage(c: OwnVisit, keys: readonly ShownKey[]): Promise<Response> {
  const { html, text } = c
  const algorithms = [...new Set(keys.map(({ alg }) => alg))].sort()
  const fields: Field[] = [
    {
      name: 'alg',
      label: text('key.alg'),
      hint: text('rotate.alg_hint', { algorithms: algorithms.join(', ') }),
      max_length: 16,
      pointers: ['/alg'],
    },
    {
      name: 'publish_before',
      label: text('rotate.publish_before'),
      hint: text('rotate.publish_before_hint'),
      max_length: 8,
      pointers: ['/publish_before'],
    },
  ]
  return actPage(c, {
    ...common(c, 'keys'),
    title: text('rotate.title'),
    intro: html`<p>${text('rotate.lead')}</p>`,
    fields,
    values: { alg: algorithms.length === 1 ? (algorithms[0] ?? '') : '' },
    button: text('rotate.button'),
    deed: (value) => rotation(c, value('alg').trim(), value('publish_before').trim()),
    done: doneAt(c, 'keys', 'key_rotated'),
  })
}

/** What is no number is sent as it is: the API says what is wrong with it. */
function rotation(c: OwnVisit, alg: string, publish_before: string) {
  const seconds = /^\d+$/.test(publish_before) ? Number(publish_before) : publish_before
  const body = { ...(alg !== '' && { alg }), ...(publish_before !== '' && { publish_before: seconds }) }
  const options = [
    ...(alg === '' ? [] : [['alg', alg] as const]),
    ...(publish_before === '' ? [] : [['publish-before', publish_before] as const]),
  ]
  return {
    call: { method: 'POST', path: apiPath(c, 'keys'), body } as const,
    commands: [{ name: 'keys rotate', options }],
  }
}

export function revokePage(c: OwnVisit, { kid, alg }: ShownKey): Promise<Response> {
  const { html, text } = c
  return actPage(c, {
    ...common(c, 'keys'),
    deed: () => ({
      call: { method: 'DELETE', path: apiPath(c, 'keys', kid) },
      commands: [{ name: 'keys revoke', args: [kid] }],
    }),
    title: text('revoke.title'),
    intro: html`<p><code>${kid}</code> (${alg})</p><p>${text('revoke.lead')}</p>`,
    destroys: true,
    confirm: kid,
    shows_effects: true,
    button: text('revoke.button'),
    done: doneAt(c, 'keys', 'key_revoked'),
  })
}
