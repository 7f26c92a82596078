/** The commands of simulations: rows of the comparison. */

import { counterOf } from '@ostiary/core'
import type { Row } from './_compare.ts'
import { CONFIG, type Place, UPSTREAM } from './_places.ts'
import { giveAccess, giveDocuments, giveWays } from './_records.ts'

const CALLBACK = 'redirect_uri=https://fixed.example.com/callback'
const PKCE =
  '--parameter code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM --parameter code_challenge_method=S256'
const REQUEST = `--parameter response_type=code --parameter ${CALLBACK} --parameter scope=openid ${PKCE}`
const AUTHORIZATION = `simulate authorization fixed ${REQUEST}`
const URL_OF_BROWSER =
  'http://localhost:4000/oauth/authorize?client_id=other&response_type=code&constructor=x&a=1&a=2'

const WITH_DOCUMENTS = {
  ...CONFIG,
  oidc: { ...CONFIG.oidc, clients: { private_key_jwt: true, metadata_documents: { enabled: true } } },
}
const named = (count: number) => Array.from({ length: count }, (_, n) => `--parameter p${n}=x`).join(' ')

const countRequests = async ({ storage }: Place) => {
  const now = Math.floor(Date.now() / 1000)
  await storage.throttle.hit(counterOf('register', '192.0.2.10'), 3600, now + 3600)
}

/** The exit code is the same; the sentence is that of the API. */
const refused = (code: number, lines: readonly string[]): Row => ({
  lines,
  codes: lines.map(() => code),
  other_words: true,
  unchanged: true,
})

export const SIMULATION_ROWS: Record<string, readonly Row[]> = {
  'simulate authorization': [
    {
      before: giveAccess,
      lines: [
        AUTHORIZATION,
        `${AUTHORIZATION} --user bob`,
        `${AUTHORIZATION} --user BOB --level 2 --age 60`,
        `${AUTHORIZATION} --sub fay-1 --parameter prompt=consent`,
        `${AUTHORIZATION} --sub fay-1 --age 600 --parameter max_age=60`,
        `simulate authorization fixed --url ${URL_OF_BROWSER} --user bob`,
        'simulate authorization deploy --parameter response_type=code',
        'simulate authorization none --parameter response_type=code',
        'simulate authorization fixed',
      ],
      unchanged: true,
    },
    {
      lines: [
        `${AUTHORIZATION} --user none`,
        `${AUTHORIZATION} --sub none`,
        `${AUTHORIZATION} --user fay --sub fay-1`,
        `${AUTHORIZATION} --user fay --age 315360001`,
        `${AUTHORIZATION} --user fay --level 3`,
        'simulate authorization fixed --url nonsense',
        'simulate authorization fixed --parameter nonsense',
        'simulate authorization fixed --parameter client_id=other',
        `simulate authorization fixed ${named(200)}`,
        `simulate authorization fixed ${named(201)}`,
      ],
      codes: [3, 3, 2, 2, 2, 2, 2, 2, 0, 1],
      unchanged: true,
    },
    {
      before: ({ command }) =>
        command('user create bob --sub bob-1 --no-password').then(() => command('user disable bob')),
      lines: [`${AUTHORIZATION} --user bob`],
    },
    {
      before: giveDocuments,
      lines: [
        'simulate authorization https://a.example.com/client.json',
        'simulate authorization https://x.example.com/client.json',
      ],
      // A document would have to be read.
      codes: [0, 1],
      options: { config: WITH_DOCUMENTS },
    },
    refused(1, [`simulate authorization ${'x'.repeat(2049)}`]),
    refused(3, [`${AUTHORIZATION} --realm none`, `${AUTHORIZATION} --user fay --realm none`]),
  ],
  'simulate tokens': [
    {
      before: giveAccess,
      lines: [
        'simulate tokens fixed --user bob',
        ['simulate', 'tokens', 'fixed', '--sub', 'fay-1', '--scope', 'openid profile email', '--level', '2'],
        'simulate tokens fixed --sub fay-1 --scope none',
        'simulate tokens fixed --sub fay-1 --resource urn:x',
        'simulate tokens none --user bob',
        'simulate tokens fixed',
        'simulate tokens fixed --user none',
        'simulate tokens fixed --user bob --age x',
      ],
      codes: [0, 0, 0, 0, 0, 2, 3, 2],
      unchanged: true,
    },
    refused(3, ['simulate tokens fixed --user fay --realm none']),
  ],
  'simulate sign-in': [
    {
      before: async (place) => {
        await giveWays(place)
        await countRequests(place)
      },
      lines: [
        'simulate sign-in --user bob',
        'simulate sign-in --user fay --address 192.0.2.10',
        'simulate sign-in --address 2001:db8::1',
        'simulate sign-in --user none',
        'simulate sign-in',
        'simulate sign-in --address x',
        `simulate sign-in --user ${'x'.repeat(255)}`,
      ],
      codes: [0, 0, 0, 0, 2, 2, 0],
      options: { config: UPSTREAM },
    },
    refused(1, [`simulate sign-in --user ${'x'.repeat(256)}`]),
    refused(3, ['simulate sign-in --user fay --realm none']),
  ],
}
