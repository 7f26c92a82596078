import { manageEveryRealm } from '../../management/manage.js'
import type { Command } from '../command.js'
import { table } from '../output.js'

export const secretRotate: Command = {
  name: 'secret rotate',
  effect: 'changes',
  summary: 'Encrypt the signing keys of all realms with a new OIDC_SECRET',
  about: [
    'OIDC_SECRET is the new secret and OIDC_SECRET_PREVIOUS the old one, here and in every server. The command encrypts each key that the old secret has encrypted with the new one. No key and no token changes, and servers need no restart for it. It may run again at any time.',
    'Afterwards unset OIDC_SECRET_PREVIOUS, ten minutes after the last server started with the new secret: until then a sign-in may be in progress that began with the old one.',
  ],
  examples: [['ostiary secret rotate', 'The last step but one of a change of the secret']],
  async run(_input, { env, cwd, err }) {
    const write = (line: string) => err(`${line}\n`)
    const realms = await manageEveryRealm(env, { cwd, write }, async ({ keys }) => {
      const total = (await keys.list()).length
      return { keys: total, encrypted_again: await keys.reseal() }
    })
    const again = Object.values(realms).reduce((sum, { encrypted_again }) => sum + encrypted_again, 0)
    const rows = Object.entries(realms).map(([realm, { keys, encrypted_again }]) => [
      realm,
      String(keys),
      String(encrypted_again),
    ])
    return {
      text: table(['REALM', 'KEYS', 'ENCRYPTED AGAIN'], rows),
      json: { realms },
      event: { count: { encrypted_again: again } },
      note: 'All keys are encrypted with OIDC_SECRET. Unset OIDC_SECRET_PREVIOUS ten minutes after the last server has the new secret.',
    }
  },
}
