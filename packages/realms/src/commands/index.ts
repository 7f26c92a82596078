/** The commands of `ostiary` about realms that are made at run time. What they do is loaded when one of them runs. */

import type { RealmCommand, RealmInput, RealmPlaces, RealmTools } from './command-types.js'

export type { OpenedRealms, RealmPlaces, RealmTools } from './command-types.js'

const SETTINGS = {
  settings: {
    value: 'json',
    help: 'The settings: {"oidc": {…}, "identity": {…}} (default: those of all realms)',
  },
  'settings-stdin': { help: 'Read the settings from standard input' },
}

/** Each command, without what it does. */
const COMMANDS = [
  {
    name: 'realm list',
    effect: 'reads',
    summary: 'List realms, of the configuration and made at run time',
    options: {
      limit: { value: 'number', help: 'The number of entries, up to 1000 (default: 50)' },
      after: { value: 'id', help: 'Continue after this entry: the last one of the page before' },
    },
    examples: [['ostiary realm list', 'The first 50']],
  },
  {
    name: 'realm create',
    effect: 'changes',
    summary: 'Make a realm, which works at once',
    about: [
      'It needs realms_at_run_time. A realm has the settings that a realm of the configuration may have: what is left out is that of all realms. An id is never used again.',
    ],
    args: ['id'],
    options: SETTINGS,
    examples: [
      ['ostiary realm create shop', 'With the settings of all realms'],
      [
        `ostiary realm create blog --settings '{"oidc":{"tokens":{"access_token":300}}}'`,
        'Its access tokens live five minutes',
      ],
    ],
  },
  {
    name: 'realm show',
    effect: 'reads',
    summary: 'Show a realm with its settings',
    args: ['id'],
    examples: [['ostiary realm show shop', 'Its settings, as a file would have them']],
  },
  {
    name: 'realm update',
    effect: 'changes',
    summary: 'Change settings of a realm',
    about: [
      'What is left out stays; null removes a setting (RFC 7396). Running servers use it within 10 seconds.',
    ],
    args: ['id'],
    options: {
      ...SETTINGS,
      replace: { help: 'They replace all settings of the realm' },
    },
    examples: [
      [
        `ostiary realm update shop --settings '{"oidc":{"tokens":{"access_token":null}}}'`,
        'Its access tokens live as long as those of all realms',
      ],
      [
        `ostiary realm update shop --replace --settings '{"identity":{"second_factor":"required"}}'`,
        'It has no other settings than these',
      ],
    ],
  },
  {
    name: 'realm delete',
    effect: 'changes',
    summary: 'Delete a realm with everything in it',
    about: [
      'Running servers refuse everything in it within 10 seconds: its pages, clients, users and tokens. Seven days later its records are deleted. The id is never used again.',
    ],
    args: ['id'],
    options: { yes: { help: 'Do not ask; needed where no terminal is there to ask on' } },
    examples: [
      ['ostiary realm delete shop', 'Says what ends, asks for the id, then deletes it'],
      ['ostiary realm delete blog --yes --json', 'In a script, without a question'],
    ],
  },
] as const

/** The commands about realms, for the list of commands of `@ostiary/host`. */
export const realmCommands = <Input extends RealmInput, Output>(
  places: RealmPlaces<Input, Output>,
  tools: RealmTools<Input, Output>,
): RealmCommand<Input, Output>[] =>
  COMMANDS.map((command) => {
    const run = async (input: Input, output: Output) => {
      const { RUNS } = await import('./runs.js')
      return RUNS[command.name]({ places, tools, input, output } as never) as never
    }
    return { ...command, remote: true, run }
  })
