import { isPublishBefore, MIN_PUBLISH_BEFORE, SIGNING_ALGORITHMS, type SigningAlgorithm } from '@ostiary/core'
import { given } from '../../values/given.js'
import { type Command, type CommandInput, notFound, usageError } from '../command.js'
import { confirm, YES_OPTION } from '../confirm.js'
import { iso, table } from '../output.js'
import { ofRealm } from '../workspace.js'

const list: Command = {
  name: 'keys list',
  effect: 'changes',
  summary: 'List the signing keys',
  about: [
    'Of each algorithm (ALG), the newest key whose SIGNS FROM is in the past signs. An algorithm of oidc.keys.algorithms without a key gets its first one. A key of another algorithm signs nothing, and is deleted when its tokens have expired.',
  ],
  examples: [
    ['ostiary keys list', 'The keys of the realm default'],
    ['ostiary keys list --realm acme', 'The keys of the realm acme'],
  ],
  ...ofRealm(async ({ management }) => {
    const before = (await management.keys.list()).length
    await management.keys.ready()
    const keys = await management.keys.list()
    const created = keys.length - before
    const rows = keys.map(({ kid, alg, created_at, signs_from }) => [
      kid,
      alg,
      iso(created_at),
      iso(signs_from),
    ])
    return {
      text: table(['KID', 'ALG', 'CREATED', 'SIGNS FROM'], rows),
      json: { keys },
      event: created > 0 ? { count: { keys: created } } : null,
    }
  }),
}

const rotate: Command = {
  name: 'keys rotate',
  effect: 'changes',
  summary: 'Publish a new signing key',
  about: [
    'The key signs when every cached JWKS contains it (after oidc.keys.publish_before, an hour). The old key of its algorithm stays published until the last token that it signed has expired. For a key that leaked, use keys revoke.',
  ],
  options: {
    alg: {
      value: 'alg',
      choices: SIGNING_ALGORITHMS,
      help: 'The algorithm of the key; required if oidc.keys.algorithms lists several',
    },
    'publish-before': {
      value: 'seconds',
      help: `Seconds until the key signs: 0, or ${MIN_PUBLISH_BEFORE} and more. With 0, some APIs refuse new tokens for up to an hour`,
    },
  },
  examples: [
    ['ostiary keys rotate', 'The usual rotation, about twice a year'],
    ['ostiary keys rotate --alg ES256', 'The rotation of one algorithm of several'],
    ['ostiary keys rotate --publish-before 0', 'Sign with the new key within 30 seconds'],
  ],
  ...ofRealm(async ({ management }, input) => {
    const alg = input.text('alg') as SigningAlgorithm | undefined
    const publish_before = publishBefore(input)
    const options = given({ alg, publish_before })
    const key = await management.keys.rotate(options).catch((error: unknown) => {
      // An algorithm that the realm does not have, or none when it has several.
      if (error instanceof RangeError) throw usageError(`--${error.message}`)
      throw error
    })
    const text = `${key.kid} is published and signs from ${iso(key.signs_from)}`
    return { text, json: key, event: { subject: { kid: key.kid } } }
  }, publishBefore),
}

/** @throws CommandError (usage) */
function publishBefore(input: CommandInput): number | undefined {
  const text = input.text('publish-before')
  if (text === undefined) return undefined
  if (!/^\d{1,8}$/.test(text)) throw usageError('--publish-before: give a number of seconds')
  if (isPublishBefore(Number(text))) return Number(text)
  throw usageError(
    `--publish-before ${text}: give 0, or ${MIN_PUBLISH_BEFORE} and more, so that every server knows the key before it signs`,
  )
}

const CACHES_NOTE =
  'APIs that cache the JWKS trust the key for up to an hour more; restart them to fetch it at once.'

const revoke: Command = {
  name: 'keys revoke',
  effect: 'changes',
  summary: 'Revoke a signing key that leaked',
  about: [
    `Every server refuses the tokens that it signed within 30 seconds: users and clients need new tokens. If no other key of its algorithm signs yet, a new one is created that signs at once. ${CACHES_NOTE}`,
    'If the kid begins with a dash, write -- before it.',
  ],
  args: ['kid'],
  options: YES_OPTION,
  examples: [
    [
      'ostiary keys revoke Z4Yc8nPzRk2VbqH3xwLm0AJq7T1sUeGd9fKo5iWhXvN',
      'Asks, then revokes the key with this kid, as keys list shows it',
    ],
  ],
  ...ofRealm(async ({ management }, input, context) => {
    const [kid = ''] = input.args
    const known = (await management.keys.list()).some((key) => key.kid === kid)
    const effects = [
      `Every token that the key ${kid} has signed will be refused: users and clients need new ones.`,
    ]
    if (known) await confirm(input, context, { effects })
    if (!(await management.keys.revoke(kid))) throw notFound(`There is no key ${JSON.stringify(kid)}`)
    const left = await management.keys.list()
    return {
      text: `${kid} is revoked`,
      json: { kid, keys: left },
      event: { subject: { kid } },
      note: CACHES_NOTE,
    }
  }),
}

export const keys = [list, rotate, revoke]
