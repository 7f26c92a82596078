import { resealFactors } from '@ostiary/identity'
import { appsText } from '../../doctor/factors.js'
import { manageEveryRealm, type OpenRealm } from '../../management/manage.js'
import type { Command } from '../command.js'
import { table } from '../output.js'

interface Sealed {
  /** Signing keys. */
  keys: number
  encrypted_again: number
  /** Authenticator apps of users. */
  apps: number
  apps_encrypted_again: number
  /** Apps that neither secret has encrypted. */
  unreadable_apps: number
}

async function sealAgain({ id, management, factors, config }: OpenRealm): Promise<Sealed> {
  const { secret, previous_secret } = config
  const keys = (await management.keys.list()).length
  const encrypted_again = await management.keys.reseal()
  const { apps, sealed_anew, unreadable } = await resealFactors(factors, {
    realm: id,
    secret,
    ...(previous_secret !== undefined && { previous_secret }),
  })
  return { keys, encrypted_again, apps, apps_encrypted_again: sealed_anew, unreadable_apps: unreadable }
}

const DONE =
  'All keys and authenticator apps are encrypted with OIDC_SECRET. Unset OIDC_SECRET_PREVIOUS ten minutes after the last server has the new secret.'

/** Apps that a third secret has encrypted: their codes work no more. */
const unreadableNote = (count: number) =>
  `Neither secret opens ${appsText(count)}: run it again with the secret of before in OIDC_SECRET_PREVIOUS. Without that secret, the users have to add the app again.`

export const secretRotate: Command = {
  name: 'secret rotate',
  effect: 'changes',
  summary: 'Encrypt the signing keys and authenticator apps of all realms with a new OIDC_SECRET',
  about: [
    'OIDC_SECRET is the new secret and OIDC_SECRET_PREVIOUS the old one, here and in every server. The command encrypts each key and each authenticator app that the old secret has encrypted with the new one. No key, no token and no app changes, and servers need no restart for it. It may run again at any time.',
    'Afterwards unset OIDC_SECRET_PREVIOUS, ten minutes after the last server started with the new secret: until then a sign-in may be in progress that began with the old one.',
  ],
  examples: [['ostiary secret rotate', 'The last step but one of a change of the secret']],
  async run(_input, { env, cwd, err }) {
    const write = (line: string) => err(`${line}\n`)
    const realms = await manageEveryRealm(env, { cwd, write }, sealAgain)
    const sum = (name: keyof Sealed) => Object.values(realms).reduce((total, one) => total + one[name], 0)
    const rows = Object.entries(realms).map(([realm, { unreadable_apps: _, ...one }]) => [
      realm,
      ...Object.values(one).map(String),
    ])
    const unreadable = sum('unreadable_apps')
    return {
      text: table(['REALM', 'KEYS', 'ENCRYPTED AGAIN', 'APPS', 'ENCRYPTED AGAIN'], rows),
      json: { realms },
      event: {
        count: { encrypted_again: sum('encrypted_again'), apps_encrypted_again: sum('apps_encrypted_again') },
      },
      note: unreadable === 0 ? DONE : unreadableNote(unreadable),
    }
  },
}
