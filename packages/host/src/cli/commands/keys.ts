import { isPublishBefore, MIN_PUBLISH_BEFORE } from '@ostiary/core'
import { type Command, notFound, usageError } from '../command.js'
import { iso, table } from '../output.js'
import { inRealm } from '../workspace.js'

const list: Command = {
  name: 'keys list',
  summary: 'Show the signing keys',
  about: ['The newest one whose time has come signs. A realm without a key gets its first one.'],
  of_realm: true,
  examples: [
    ['ostiary keys list', 'Show the keys of the realm default'],
    ['ostiary keys list --realm acme --json', 'Those of the realm acme, for a program'],
  ],
  run: (input, context) =>
    inRealm(input, context, async ({ management }) => {
      await management.keys.ready()
      const keys = await management.keys.list()
      const rows = keys.map(({ kid, alg, created_at, signs_from }) => [
        kid,
        alg,
        iso(created_at),
        iso(signs_from),
      ])
      return { text: table(['KID', 'ALG', 'CREATED', 'SIGNS FROM'], rows), json: { keys } }
    }),
}

const rotate: Command = {
  name: 'keys rotate',
  summary: 'Publish a new signing key',
  about: [
    'It signs once every cached JWKS holds it (oidc.keys.publish_before, an hour), and the old one stays published for as long as a token that it signed may live. No server has to be restarted. For a key that leaked, take keys revoke.',
  ],
  options: {
    'publish-before': {
      value: 'seconds',
      help: `Sign after so many seconds instead: 0, or ${MIN_PUBLISH_BEFORE} and more. With 0 some verifiers refuse new tokens for up to an hour`,
    },
  },
  of_realm: true,
  examples: [
    ['ostiary keys rotate', 'Rotate as usual, twice a year or so'],
    ['ostiary keys rotate --publish-before 0', 'Sign with the new one within half a minute'],
  ],
  run(input, context) {
    const text = input.text('publish-before')
    if (text !== undefined && !/^\d{1,8}$/.test(text))
      throw usageError('--publish-before is a number of seconds')
    const publish_before = text === undefined ? null : Number(text)
    if (publish_before !== null && !isPublishBefore(publish_before))
      throw usageError(
        `--publish-before ${publish_before}: give 0, or ${MIN_PUBLISH_BEFORE} and more, so that every server knows the key before it signs`,
      )
    return inRealm(input, context, async ({ management }) => {
      const key = await management.keys.rotate(publish_before === null ? {} : { publish_before })
      return { text: `${key.kid} is published and signs from ${iso(key.signs_from)}`, json: key }
    })
  },
}

const revoke: Command = {
  name: 'keys revoke',
  summary: 'Withdraw a signing key that leaked',
  about: [
    'What it signed is refused by every server within 30 seconds: people and clients have to get new tokens. When no other key signs yet, a new one is made that signs at once. APIs that check tokens themselves go on trusting the key for as long as they keep the JWKS, which is up to an hour: restart them, or have them fetch it anew.',
    'Where the kid begins with a dash, write -- before it.',
  ],
  args: ['kid'],
  of_realm: true,
  examples: [
    [
      'ostiary keys revoke Z4Yc8nPzRk2VbqH3xwLm0AJq7T1sUeGd9fKo5iWhXvN',
      'The one of that kid, as keys list shows it',
    ],
  ],
  run: (input, context) =>
    inRealm(input, context, async ({ management }) => {
      const [kid = ''] = input.args
      if (!(await management.keys.revoke(kid))) throw notFound(`There is no key ${JSON.stringify(kid)}`)
      const left = await management.keys.list()
      return {
        text: `${kid} is revoked`,
        json: { kid, keys: left },
        note: 'APIs that keep a copy of the JWKS trust the key for up to an hour more, unless they fetch it anew.',
      }
    }),
}

export const keys = [list, rotate, revoke]
