import { resealFactors } from '@ostiary/identity'
import { mailsText, sealedTexts } from '../../doctor/mails.js'
import { manageEveryRealm, type OpenRealm, type OpenRealms } from '../../management/manage.js'
import { secretsOf } from '../../management/secrets.js'
import { type Command, failure } from '../command.js'
import { table } from '../output.js'
import { linesTo } from '../workspace.js'

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

/** Of all realms. */
interface SealedMails {
  pending: number
  encrypted_again: number
  /** Mails that neither secret has encrypted. */
  unreadable: number
}

async function sealAgain({ id, management, factors, config }: OpenRealm): Promise<Sealed> {
  const keys = (await management.keys.list()).length
  const encrypted_again = await management.keys.reseal()
  const options = { realm: id, ...secretsOf(config) }
  const { apps, sealed_anew, unreadable } = await resealFactors(factors, options)
  return { keys, encrypted_again, apps, apps_encrypted_again: sealed_anew, unreadable_apps: unreadable }
}

async function sealMailsAgain({ mails, config }: OpenRealms): Promise<SealedMails> {
  const { resealMails } = await import('@ostiary/identity/mail')
  const { pending, sealed_anew, unreadable } = await resealMails(mails, secretsOf(config))
  return { pending, encrypted_again: sealed_anew, unreadable }
}

const UNSET = 'Unset OIDC_SECRET_PREVIOUS ten minutes after the last server has the new secret'

/** A server with one of the secrets cannot read what the other one encrypts. */
const BOTH_SECRETS =
  'Every server needs both secrets before: OIDC_SECRET (new) and OIDC_SECRET_PREVIOUS (old).'

const NO_PREVIOUS = `OIDC_SECRET_PREVIOUS is not set, so nothing is encrypted again. ${BOTH_SECRETS}`

const doneNote = (pending: number) =>
  `All ${pending === 0 ? 'keys and authenticator apps' : 'keys, authenticator apps and pending mails'} are encrypted with OIDC_SECRET. ${UNSET}.`

/** What a third secret has encrypted: codes of such apps work no more, and such mails are not sent. */
function unreadableNote(apps: number, mails: number): string {
  const lost = apps === 0 ? 'they are not sent' : 'the users have to add the app again'
  return `Neither secret opens ${sealedTexts(apps, mails).join(' and ')}: run it again with the secret of before in OIDC_SECRET_PREVIOUS. Without that secret, ${lost}.`
}

export const secretRotate: Command = {
  name: 'secret rotate',
  effect: 'changes',
  summary:
    'Encrypt the signing keys, authenticator apps and pending mails of all realms with a new OIDC_SECRET',
  about: [
    'OIDC_SECRET is the new secret and OIDC_SECRET_PREVIOUS the old one, here and in every server. It encrypts with the new one each key, authenticator app and waiting mail of the old one. No server restarts.',
    `${UNSET}: a sign-in may have begun with the old one.`,
  ],
  examples: [['ostiary secret rotate', 'The last step but one of a change of the secret']],
  async run(_input, context) {
    const options = { cwd: context.cwd, write: linesTo(context) }
    const { realms, mails } = await manageEveryRealm(context.env, options, async (opened) => {
      if (opened.config.previous_secret === undefined) throw failure(NO_PREVIOUS)
      return { realms: await opened.each(sealAgain), mails: await sealMailsAgain(opened) }
    })
    const sum = (name: keyof Sealed) => Object.values(realms).reduce((total, one) => total + one[name], 0)
    const rows = Object.entries(realms).map(([realm, { unreadable_apps: _, ...one }]) => [
      realm,
      ...Object.values(one).map(String),
    ])
    const unreadable_apps = sum('unreadable_apps')
    const { pending, encrypted_again, unreadable } = mails
    return {
      text: [
        BOTH_SECRETS,
        table(['REALM', 'KEYS', 'ENCRYPTED AGAIN', 'APPS', 'ENCRYPTED AGAIN'], rows),
        ...(pending === 0 ? [] : [`${mailsText(pending)}, ${encrypted_again} encrypted again`]),
      ].join('\n'),
      json: { realms, mails },
      event: {
        count: {
          encrypted_again: sum('encrypted_again'),
          apps_encrypted_again: sum('apps_encrypted_again'),
          mails_encrypted_again: encrypted_again,
        },
      },
      note:
        unreadable_apps + unreadable === 0 ? doneNote(pending) : unreadableNote(unreadable_apps, unreadable),
    }
  },
}
