import { type Command, usageError } from '../command.js'
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
  run: (input, surroundings) =>
    inRealm(input, surroundings, async ({ management }) => {
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
    'It signs once every cached JWKS holds it (oidc.keys.publish_before, an hour), and the old one stays published for as long as a token that it signed may live. No server has to be restarted.',
  ],
  options: {
    'publish-before': {
      value: 'seconds',
      help: 'Sign after so many seconds instead. 0 is for a key that leaked: some verifiers refuse new tokens for up to an hour',
    },
  },
  of_realm: true,
  examples: [
    ['ostiary keys rotate', 'Rotate as usual, twice a year or so'],
    ['ostiary keys rotate --publish-before 0', 'Stop signing with the old key within half a minute'],
  ],
  run(input, surroundings) {
    const text = input.text('publish-before')
    if (text !== undefined && !/^\d{1,8}$/.test(text))
      throw usageError('--publish-before is a number of seconds')
    return inRealm(input, surroundings, async ({ management }) => {
      const key = await management.keys.rotate(text === undefined ? {} : { publish_before: Number(text) })
      return { text: `${key.kid} is published and signs from ${iso(key.signs_from)}`, json: key }
    })
  },
}

export const keys = [list, rotate]
