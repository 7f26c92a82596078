/**
 * Every command: either it has the option `--server`, and does over the admin API what it does on the machine, with the same output and exit
 * code; or it refuses the option, and says why. A new command fails until it has a row.
 */

import { counterOf } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { LONG } from '../../../../vitest.shared.ts'
import { COMMANDS } from '../../src/cli/commands/index.ts'
import { run } from '../../src/index.ts'
import { AUDIT_ROWS } from './_audit-rows.ts'
import { casesOf, compareBoth, type Line, type Row } from './_compare.ts'
import { CONFIG, type Place, SERVER, UPSTREAM } from './_places.ts'
import { REALM_ROWS } from './_realm-rows.ts'
import { giveAccess, giveDocuments, giveInvitations, giveWays, idOf } from './_records.ts'
import { SIMULATION_ROWS } from './_simulation-rows.ts'

const MADE = 'client create --id made --redirect-uri https://made.example.com/callback'
const made = ({ command }: Place) => command(`${MADE} --confidential`)
const onMade = (...lines: Line[]): Row => ({ before: made, lines })
const onBob = (...lines: Line[]): Row => ({ before: giveAccess, lines })
const onWays = (...lines: Line[]): Row => ({ before: giveWays, lines, options: { config: UPSTREAM } })
/** The exit code is the same; the sentence is that of the API. */
const refused = (code: number, before: Row['before'], lines: readonly Line[]): Row => ({
  lines,
  ...(before && { before }),
  codes: lines.map(() => code),
  other_words: true,
  unchanged: true,
})
const countRequests = ({ storage }: Place) =>
  storage.throttle.hit(counterOf('register', '192.0.2.10'), 3600, Math.floor(Date.now() / 1000) + 3600)
/** The key of the realm. */
async function kidOf({ storage }: Place): Promise<string> {
  const [key] = await storage.keys.list()
  return key?.kid ?? ''
}
async function giveWaysAndPassword(place: Place): Promise<void> {
  await giveWays(place)
  await place.command('user set-password bob --keep-access')
}
const NAMED = ['--claim', 'name=Cem Example', '--claim', 'email=cem@example.com', '--email-verified']
const CREATE_CEM = ['user', 'create', 'cem', '--sub', 'cem-1', ...NAMED, '--group', 'staff']
const DOCUMENT = 'https://b.example.com/client.json'
const STRONG = 'an unusual passphrase of five'
/** Nothing listens at one of them, and the other one has no document. */
const NOT_LISTENING = {
  ...UPSTREAM,
  identity: {
    ...UPSTREAM.identity,
    upstreams: {
      google: { ...UPSTREAM.identity.upstreams.google, issuer: 'http://127.0.0.1:1' },
      github: { type: 'github', client_id: 'x', client_secret_env: 'GOOGLE_CLIENT_SECRET', name: 'GitHub' },
    },
  },
}
const PASSWORDLESS = { ...CONFIG, users: [], identity: { password: { enabled: false } } }

/** Those with `--server`. */
const ROWS: Record<string, readonly Row[]> = {
  'client create': [
    {
      lines: [
        MADE,
        MADE,
        'client create --redirect-uri https://x.example.com/callback',
        'client create --id worker --confidential --grant client_credentials',
        'client create --id both --auth-method client_secret --redirect-uri https://x.example.com/cb --no-pkce',
        'client create --id http --redirect-uri http://x.example.com/cb',
        'client create --id bad --redirect-uri nonsense --logo-uri nonsense',
        'client create --id bad --confidential --auth-method none --redirect-uri https://x.example.com/cb',
      ],
      codes: [0, 1, 0, 0, 0, 0, 1, 1],
    },
    refused(1, undefined, [
      'client create --id fay-1 --redirect-uri https://x.example.com/cb',
      'client create --id fixed --redirect-uri https://x.example.com/cb',
    ]),
  ],
  'client list': [
    {
      before: async ({ command }) => {
        for (const id of ['a', 'b', 'c', 'd'])
          await command(
            `client create --id ${id} --name Client-${id} --redirect-uri https://x.example.com/cb`,
          )
      },
      lines: [
        'client list',
        'client list --limit 2',
        'client list --limit 2 --after b',
        'client list --after zzz',
        'client list --search CLIENT-C',
        'client list --search nothing --limit 1000',
        'client list --limit 1001',
      ],
      codes: [0, 0, 0, 0, 0, 0, 2],
    },
  ],
  'client show': [
    {
      ...onMade('client show made', 'client show none', 'client show fixed'),
      codes: [0, 3, 0],
      unchanged: true,
    },
  ],
  'client update': [
    {
      ...onMade(
        'client update made --name Other --add-redirect-uri https://made.example.com/2 --trusted true',
        'client update made --name Other',
        'client update made --remove-redirect-uri https://none.example.com/',
        'client update made --unset name --access-token-lifetime 300',
        'client update made --auth-method none',
        'client update made --auth-method client_secret',
        'client update made --jwks-uri https://made.example.com/jwks.json',
        'client update made --redirect-uri nonsense',
        'client update none --name None',
      ),
      codes: [0, 0, 1, 0, 0, 0, 0, 1, 3],
    },
    refused(1, undefined, ['client update fixed --name Other']),
  ],
  'client revoke': [
    {
      ...onMade('client revoke made', 'client revoke made', 'client revoke none'),
      typed: 'y',
      codes: [0, 0, 3],
    },
    { ...onMade('client revoke made', 'client show made'), typed: 'n', codes: [1, 0], unchanged: true },
    { ...onMade('client revoke made', 'client revoke made --yes'), codes: [2, 0] },
  ],
  'client rotate-secret': [
    { ...onMade('client rotate-secret made --yes', 'client rotate-secret none --yes'), codes: [0, 3] },
    {
      before: ({ command }) => command(MADE),
      lines: ['client rotate-secret made --yes'],
      codes: [1],
    },
    refused(1, undefined, ['client rotate-secret fixed --yes']),
  ],
  'client delete': [
    { ...onMade('client delete made', 'client list', MADE), typed: 'made', codes: [0, 0, 1] },
    {
      ...onMade('client delete made', 'client delete none --yes'),
      typed: 'other',
      codes: [1, 3],
      unchanged: true,
    },
    refused(1, undefined, ['client delete fixed --yes']),
  ],
  'client documents list': [
    {
      before: giveDocuments,
      lines: [
        'client documents list',
        'client documents list --limit 2',
        'client documents list --limit 1 --after https://a.example.com/client.json',
        'client documents list --search C.EXAMPLE',
        'client documents list --limit 1001',
      ],
      codes: [0, 0, 0, 0, 2],
      unchanged: true,
    },
  ],
  'client documents forget': [
    {
      before: giveDocuments,
      lines: [
        `client documents forget ${DOCUMENT}`,
        `client documents forget ${DOCUMENT}`,
        'client documents list',
      ],
      typed: 'y',
      codes: [0, 3, 0],
    },
    {
      before: giveDocuments,
      lines: [
        `client documents forget ${DOCUMENT}`,
        'client documents forget fixed',
        'client documents list',
      ],
      typed: 'n',
      codes: [1, 3, 0],
      unchanged: true,
    },
  ],
  'consent list': [
    { ...onBob('consent list bob', 'consent list --sub bob-1', 'consent list fay'), unchanged: true },
  ],
  'consent revoke': [
    {
      ...onBob(
        'consent revoke bob fixed --resource https://a.example.com',
        'consent revoke bob fixed',
        'consent revoke bob fixed',
        'consent revoke none fixed',
        'consent list bob',
        'grant list bob',
      ),
      codes: [0, 0, 3, 3, 0, 0],
    },
  ],
  'grant list': [
    {
      ...onBob('grant list bob', 'grant list --sub bob-1', 'grant list none'),
      codes: [0, 0, 3],
      unchanged: true,
    },
  ],
  'grant revoke': [
    {
      ...onBob('grant revoke bob --client none', 'grant revoke bob --client fixed', 'grant list bob'),
      codes: [3, 0, 0],
    },
  ],
  'session list': [{ ...onBob('session list bob', 'session list fay'), unchanged: true }],
  'session end': [
    {
      ...onBob(
        `session end --sid ${idOf('other')} --user bob`,
        `session end --sid ${idOf('s')} --user fay`,
        `session end --sid ${idOf('s')} --user bob`,
        'session list bob',
      ),
      codes: [3, 3, 0, 0],
    },
    onBob('session end --user bob', 'session end --user bob-1 --sub', 'grant list bob'),
  ],
  'throttle list': [
    {
      before: countRequests,
      lines: ['throttle list --address 192.0.2.10', 'throttle list --user ann', 'throttle list --address x'],
      codes: [0, 0, 2],
    },
  ],
  'throttle reset': [
    {
      before: countRequests,
      lines: ['throttle reset --address 192.0.2.10', 'throttle reset --address 192.0.2.10', 'throttle reset'],
      codes: [0, 0, 2],
    },
  ],
  'keys list': [{ lines: ['keys list'], unchanged: true }],
  'keys rotate': [
    {
      lines: [
        'keys rotate',
        'keys rotate --alg RS256 --publish-before 60',
        'keys rotate --publish-before 59',
        'keys rotate --alg PS256',
        'keys list',
      ],
      codes: [0, 0, 2, 2, 0],
    },
  ],
  'keys revoke': [
    {
      lines: [async (of) => `keys revoke --yes -- ${await kidOf(of)}`, 'keys revoke none', 'keys list'],
      codes: [0, 3, 0],
    },
  ],
  'user create': [
    {
      lines: [
        CREATE_CEM,
        CREATE_CEM,
        'user create dan --no-password',
        'user create eve --claim email=eve@example.com --attribute level=3',
        'user create DAN --no-password',
        'user show cem',
      ],
      codes: [0, 1, 0, 0, 1, 0],
    },
    { lines: ['user create cem --password-stdin --sub cem-1', 'user list'], stdin: STRONG },
    { lines: ['user create cem --password-stdin'], stdin: 'short', codes: [1], unchanged: true },
    { lines: ['user create cem --sub cem-1', 'user show cem'], options: { config: PASSWORDLESS } },
    refused(1, undefined, ['user create cem --sub fixed', 'user create cem --sub fay-1']),
    {
      ...refused(1, undefined, ['user create cem --password-stdin', 'user create cem --password-stdin']),
      stdin: STRONG,
      options: { config: PASSWORDLESS },
    },
  ],
  'user list': [
    {
      ...onBob(
        'user list',
        'user list --limit 1',
        'user list --limit 1 --after bob-1',
        'user list --search FAY',
      ),
      unchanged: true,
    },
  ],
  'user show': [
    {
      ...onWays('user show bob', 'user show fay', 'user show --sub bob-1', 'user show none'),
      codes: [0, 0, 0, 3],
      unchanged: true,
    },
    {
      before: ({ command }) => command('user invite ann@example.com'),
      lines: ['user show ann@example.com'],
    },
  ],
  'user update': [
    {
      before: ({ command }) => command(CREATE_CEM),
      lines: [
        [
          'user',
          'update',
          'cem',
          '--username',
          'jem',
          '--claim',
          'address.locality=Paris',
          '--add-group',
          'more',
        ],
        'user update jem --remove-claim name --remove-group staff --attribute level=3',
        'user update jem --attribute level=3',
        'user update jem --username fay',
        'user update none --username cem',
        'user show jem',
      ],
      codes: [0, 0, 0, 1, 3, 0],
    },
    refused(1, undefined, ['user update fay --username other']),
  ],
  'user disable': [
    { ...onBob('user disable bob', 'user disable bob', 'user disable none'), codes: [0, 0, 3] },
  ],
  'user enable': [onBob('user enable bob', 'user disable bob', 'user enable bob')],
  'user set-password': [
    onBob('user set-password bob', 'user set-password --sub bob-1'),
    { ...onBob('user set-password bob --password-stdin', 'user show bob'), stdin: STRONG },
    { ...refused(1, giveAccess, ['user set-password bob --password-stdin']), stdin: 'short' },
    {
      ...refused(1, undefined, ['user set-password fay']),
      options: { config: { ...PASSWORDLESS, users: [{ username: 'fay', sub: 'fay-1' }] } },
    },
  ],
  'user factors list': [{ ...onWays('user factors list bob', 'user factors list fay'), unchanged: true }],
  'user factors remove': [
    {
      ...onWays(
        `user factors remove bob --id ${idOf('app')}`,
        'user factors remove bob --id none',
        'user show bob',
      ),
      typed: 'y',
      codes: [0, 3, 0],
    },
    {
      ...onWays('user factors remove bob --all --yes', 'user factors list bob'),
      before: giveWaysAndPassword,
    },
    { ...onWays('user factors remove bob --all'), before: giveWaysAndPassword, typed: 'y' },
    refused(1, giveWays, ['user factors remove bob --all --yes']),
  ],
  'user links list': [{ ...onWays('user links list bob', 'user links list fay'), unchanged: true }],
  'user links remove': [
    {
      ...onWays(
        'user links remove bob --upstream google',
        'user links remove bob --all --yes',
        'user show bob',
      ),
      options: { config: UPSTREAM },
      typed: 'y',
      codes: [0, 3, 0],
    },
  ],
  'user recovery-link': [
    {
      ...onBob(
        'user recovery-link bob',
        'user recovery-link bob --cancel',
        'user disable bob',
        'user recovery-link bob',
        'user recovery-link none',
      ),
      codes: [0, 1, 0, 1, 3],
    },
  ],
  'user invite': [
    {
      lines: [
        ['user', 'invite', 'gil@example.com', '--claim', 'name=Gil Example', '--group', 'staff'],
        'user invite gil@example.org --username gil@example.com',
        'user show gil@example.com',
        'user create hal --claim email=hal@example.com',
        'user invite hal@example.com --username hal',
      ],
      codes: [0, 0, 0, 0, 1],
    },
    refused(1, undefined, ['user invite fay@example.com --username fay']),
  ],
  'user invitations': [
    {
      before: giveInvitations,
      lines: [
        'user invitations',
        'user invitations --limit 1',
        'user invitations --limit 1 --after bob-1',
        'user invitations --after gil-1',
        'user invitations --limit 0',
      ],
      codes: [0, 0, 0, 0, 2],
    },
  ],
  'user delete': [
    {
      ...onWays('user delete bob', 'user show bob', 'user create bob --sub bob-1'),
      typed: 'bob',
      codes: [0, 3, 1],
    },
    {
      ...onBob('user delete bob', 'user delete bob', 'user delete none --yes'),
      typed: 'other',
      codes: [1, 1, 3],
      unchanged: true,
    },
    refused(1, undefined, ['user delete fay --yes']),
  ],
  'upstream list': [
    { lines: ['upstream list'], unchanged: true },
    refused(3, undefined, ['upstream list --realm none']),
    { lines: ['upstream list'], options: { config: UPSTREAM }, unchanged: true },
  ],
  'upstream show': [
    {
      lines: ['upstream show google', 'upstream show none', 'upstream show constructor'],
      codes: [0, 3, 3],
      options: { config: UPSTREAM },
      unchanged: true,
    },
    { lines: ['upstream show google'], codes: [3], unchanged: true },
  ],
  'upstream check': [
    {
      lines: ['upstream check google', 'upstream check github', 'upstream check none'],
      codes: [1, 0, 3],
      options: { config: NOT_LISTENING },
    },
  ],
  // What is sent, and why not: mail-test.test.ts.
  'mail test': [
    { lines: ['mail test ann'], codes: [2], unchanged: true },
    refused(1, undefined, ['mail test ann@example.com']),
  ],
}

const CASES = casesOf({ ...ROWS, ...REALM_ROWS, ...SIMULATION_ROWS })
/** `client` of `client create, 1; client list, 2`. */
const areaOf = ({ title }: { title: string }): string | undefined => title.split(' ')[0]
/** The short run has one of each area; the operations of the API, and the commands on the machine, have tests of their own there. */
const IN_SHORT = CASES.filter(
  (one, index) => CASES.findIndex((other) => areaOf(other) === areaOf(one)) === index,
)
const TRIED = LONG ? CASES.filter((one) => !IN_SHORT.includes(one)) : IN_SHORT
/** Those of all files. */
const REMOTE = [ROWS, REALM_ROWS, SIMULATION_ROWS, AUDIT_ROWS].flatMap((rows) => Object.keys(rows))

describe('a command over the admin API', () => {
  it.each(TRIED)('$title', (one) => compareBoth(one))
})

const ON_THE_MACHINE = COMMANDS.map(({ name }) => name).filter((name) => !REMOTE.includes(name))

describe('the option --server', () => {
  it('is in the help of each command that has a row', () => {
    expect(
      COMMANDS.filter(({ remote }) => remote)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(REMOTE.sort())
  })

  it.each(ON_THE_MACHINE)('is refused by %s, which does nothing', async (name) => {
    const args = COMMANDS.find((command) => command.name === name)?.args ?? []
    const words = [...name.split(' '), ...args.map(() => 'x'), '--server', SERVER]
    const err: string[] = []
    const nothing = () => Promise.reject(new Error('it does something'))
    const terminal = { env: {}, cwd: '/nowhere', out: nothing, err: (text: string) => void err.push(text) }
    const code = await run(words, { serve: nothing }, { ...terminal, stdin: nothing, connect: nothing })
    expect(code).toBe(2)
    expect(err.join('')).toMatch(
      /^error: --server: .+ since .+: .*(?:run it|leave --server out|ostiary log(?:in|out)).*\n$/,
    )
  })
})
