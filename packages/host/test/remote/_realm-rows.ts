/** The commands about realms that are made at run time: rows of the comparison. */

import type { Row } from './_compare.ts'
import { CONFIG, type Place } from './_places.ts'

/** The realm of the administrators, and another one of the configuration. */
export const RUN_TIME = {
  ...CONFIG,
  realms_at_run_time: true,
  oidc: { ...CONFIG.oidc, routes: { realms: 'path' }, realms: { default: {}, fixed: {} } },
}

const options = { config: RUN_TIME }
const SHORT = '{"oidc":{"tokens":{"access_token":300}}}'
const set = (command: string, settings: string): string[] => [...command.split(' '), '--settings', settings]

export const giveRealms = async ({ command }: Place): Promise<void> => {
  for (const id of ['acme', 'blue-1', 'zeta']) await command(`realm create ${id}`)
  await command('realm delete zeta --yes')
}

const giveMany = ({ executor }: Place) =>
  executor.query(`insert into oidc_realms (realm, settings, created_at, updated_at, version, change)
    select 'r-' || n, '{}', 1, 1, 1, n from generate_series(1, 240) as n`)

const TWO = '{"oidc":{"tokens":{"access_token":300,"id_token":300}}}'
const TWO_TURNED = '{"oidc":{"tokens":{"id_token":300,"access_token":300}}}'
/** A setting that no realm has, and one of each realm by its value. */
const WRONG = '{"oidc":{"tokens":{"acess_token":300}},"identity":{"mail":{"from":"id@example.com"}}}'

export const REALM_ROWS: Record<string, readonly Row[]> = {
  'realm list': [
    {
      options,
      before: giveRealms,
      lines: [
        'realm list',
        'realm list --limit 2',
        'realm list --limit 2 --after blue-1',
        'realm list --after zzz',
        'realm list --limit 1001',
      ],
      codes: [0, 0, 0, 0, 2],
      unchanged: true,
    },
    {
      options,
      before: async (place) => {
        await giveRealms(place)
        await place.command('user create bob --sub bob-1 --no-password')
      },
      lines: [
        'admin roles grant bob support --in acme --in fixed',
        'admin roles grant bob support --in zeta',
        'admin roles grant bob support --in none',
        'admin roles list',
      ],
      codes: [0, 1, 1, 0],
    },
    // More than a page of the API.
    { options, before: giveMany, lines: ['realm list --limit 230', 'realm list --limit 1000'] },
  ],
  'realm show': [
    {
      options,
      before: giveRealms,
      lines: ['realm show acme', 'realm show fixed', 'realm show none', 'realm show zeta'],
      codes: [0, 0, 3, 3],
      unchanged: true,
    },
  ],
  'realm create': [
    {
      options,
      before: giveRealms,
      lines: [
        'realm create new',
        set('realm create short', SHORT),
        'realm show short',
        'realm create acme',
        'realm create zeta',
        'realm create fixed',
        'realm create default',
        'realm create Acme',
        set('realm create wrong', WRONG),
        set('realm create wrong', '{"odic":{}}'),
        set('realm create wrong', '[]'),
        [...set('realm create wrong', '{}'), '--settings-stdin'],
        'realm show wrong',
      ],
      codes: [0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3],
    },
    { options, lines: ['realm create acme --settings-stdin', 'realm show acme'], stdin: `${SHORT}\n` },
  ],
  'realm update': [
    {
      options,
      before: giveRealms,
      lines: [
        set('realm update acme', SHORT),
        set('realm update acme', SHORT),
        set('realm update acme', '{"identity":{"second_factor":"required"}}'),
        'realm show acme',
        set('realm update acme', '{"oidc":null}'),
        [...set('realm update acme', SHORT), '--replace'],
        [...set('realm update acme', TWO), '--replace'],
        // The same, in another order.
        [...set('realm update acme', TWO_TURNED), '--replace'],
        'realm update acme',
        set('realm update acme', WRONG),
        set('realm update fixed', SHORT),
        set('realm update none', SHORT),
        set('realm update zeta', SHORT),
      ],
      codes: [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 1, 3, 3],
    },
  ],
  'realm delete': [
    {
      options,
      before: giveRealms,
      typed: 'acme',
      lines: ['realm delete acme', 'realm show acme', 'realm create acme', 'realm delete acme'],
      codes: [0, 3, 1, 3],
    },
    {
      options,
      before: giveRealms,
      typed: 'other',
      lines: ['realm delete acme'],
      codes: [1],
      unchanged: true,
    },
    {
      options,
      before: giveRealms,
      lines: ['realm delete acme', 'realm delete fixed --yes'],
      codes: [2, 1],
      unchanged: true,
    },
  ],
}
