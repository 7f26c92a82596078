/** What the commands do. */

import type { RealmCounts } from '../effects.js'
import type { RealmSettings } from '../realm-store.js'
import { isObject, type ListedRealm, leavesOf, type ShownRealm } from '../shown.js'
import type { RealmChangeResult, RealmInput, RealmPlaces, RealmResult, RealmTools } from './command-types.js'
import { type ManagedRealms, realmsHere, realmsOfServer } from './managed-realms.js'

/** One call of a command. */
interface Line<Input, Output> {
  places: RealmPlaces<Input, Output>
  tools: RealmTools<Input, Output>
  input: Input
  output: Output
}

type AnyLine = Line<RealmInput, never>

/** By the names of the commands. */
export const RUNS = {
  'realm list': list,
  'realm show': show,
  'realm create': create,
  'realm update': update,
  'realm delete': remove,
}

/** Opens the realms of this machine, or of the server of `--server`. @param realm Empty for all of them. */
function opened<T>(
  { places, tools, input, output }: AnyLine,
  realm: string,
  run: (realms: ManagedRealms) => Promise<T>,
): Promise<T> {
  const { failure } = tools
  if (input.text('server') !== undefined) {
    const named = { ...input, text: (name: string) => (name === 'realm' ? realm : input.text(name)) }
    return places.inServer(named, output, (_, send) => run(realmsOfServer(send, failure)))
  }
  return places.here(output, async (here) => {
    if (here === null) throw failure(OFF)
    return run(realmsHere(here, failure))
  })
}

const OFF =
  'Realms are made at run time where realms_at_run_time is true: set it in the configuration, and restart the servers'

async function list(line: AnyLine): Promise<RealmResult> {
  const { input, tools } = line
  const text = input.text('limit') ?? '50'
  const limit = Number(text)
  if (!/^\d{1,4}$/.test(text) || limit < 1 || limit > 1000)
    throw tools.usageError('--limit: give a number from 1 to 1000')
  const after = input.text('after')
  return opened(line, '', async (realms) => {
    const found = await realms.list({ limit: limit + 1, ...(after !== undefined && { after }) })
    return pageOf(line, found, limit)
  })
}

function pageOf({ tools }: AnyLine, found: readonly ListedRealm[], limit: number): RealmResult {
  const items = found.slice(0, limit)
  const next = found.length > limit ? (items.at(-1)?.id ?? null) : null
  return {
    text: tools.table([
      ['ID', 'SOURCE', 'CREATED', 'CHANGED'],
      ...items.map(({ id, source, created_at, updated_at }) => [
        id,
        SOURCES[source],
        iso(created_at),
        iso(updated_at),
      ]),
    ]),
    json: { realms: items, next },
    ...(next !== null && { note: `There are more: continue with --after ${next}` }),
  }
}

const SOURCES = { configuration: 'configuration', run_time: 'made at run time' }

async function show(line: AnyLine): Promise<RealmResult> {
  return opened(line, idOf(line), async (realms) => {
    const realm = await requireRealm(realms, line)
    return { text: textOf(realm, line), json: realm }
  })
}

async function create(line: AnyLine): Promise<RealmChangeResult> {
  const id = idOf(line)
  const settings = (await settingsOf(line)) ?? {}
  return opened(line, id, async (realms) => {
    const realm = await realms.create(id, settings as RealmSettings)
    return { text: textOf(realm, line), json: realm, event: { realm: id } }
  })
}

async function update(line: AnyLine): Promise<RealmChangeResult> {
  const { tools, input } = line
  const settings = await settingsOf(line)
  if (settings === null) throw tools.usageError('give --settings or --settings-stdin')
  const replace = input.flag('replace')
  return opened(line, idOf(line), async (realms) => {
    const before = await requireRealm(realms, line)
    const after = await realms.update(before, { settings, replace })
    const fields = differing(before, after)
    return {
      text: [
        fields.length === 0 ? 'Nothing changed' : `Changed: ${fields.join(', ')}`,
        textOf(after, line),
      ].join('\n'),
      json: { ...after, changed: fields },
      event: fields.length === 0 ? null : { realm: after.id, fields },
    }
  })
}

async function remove(line: AnyLine): Promise<RealmChangeResult> {
  const { tools, input, output } = line
  const id = idOf(line)
  return opened(line, id, async (realms) => {
    const realm = await requireRealm(realms, line)
    if (realm.source === 'run_time' && !input.flag('plan'))
      await tools.confirm(input, output, { effects: endsWith(id, await realms.count(realm)), name: id })
    const deleted = await realms.delete(realm)
    const { disabled_at, purged_from } = deleted
    return {
      text: [`${id} is deleted`, `Its records are deleted from ${iso(purged_from)} on`].join('\n'),
      json: { id, disabled_at, purged_from },
      event: { realm: id },
    }
  })
}

const endsWith = (id: string, counts: RealmCounts): string[] => [
  `The realm ${id} will be deleted, with everything in it:`,
  `  ${(['clients', 'users', 'sessions', 'grants', 'consents', 'keys'] as const)
    .map((name) => `${name} ${counts[name] ?? 'not counted'}`)
    .join(', ')}`,
]

const idOf = ({ input }: AnyLine): string => input.args[0] ?? ''

async function requireRealm(realms: ManagedRealms, line: AnyLine): Promise<ShownRealm> {
  const realm = await realms.find(idOf(line))
  if (realm === null) throw line.tools.notFound(`There is no realm ${printable(idOf(line))}`)
  return realm
}

/** Null when the line has none. */
async function settingsOf({ tools, input, output }: AnyLine): Promise<object | null> {
  const given = input.text('settings')
  const from_stdin = input.flag('settings-stdin')
  if (given !== undefined && from_stdin)
    throw tools.usageError('give --settings or --settings-stdin, not both')
  if (given === undefined && !from_stdin) return null
  const option = from_stdin ? '--settings-stdin' : '--settings'
  const settings = parsed(given ?? (await tools.stdin(output)))
  if (settings === null)
    throw tools.usageError(
      `${option}: give one JSON object, such as {"oidc":{"tokens":{"access_token":300}}}`,
    )
  const other = Object.keys(settings).find((name) => name !== 'oidc' && name !== 'identity')
  if (other !== undefined)
    throw tools.usageError(
      `${option}: the settings have the members oidc and identity, and not ${JSON.stringify(other)}`,
    )
  return settings
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** The settings in which two realms differ, by their paths. */
function differing(one: ShownRealm, other: ShownRealm): string[] {
  const [was, is] = [one, other].map(({ oidc, identity }) =>
    leavesOf({ oidc: oidc ?? {}, identity: identity ?? {} }),
  )
  const names = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])]
  return names.filter((name) => JSON.stringify(was?.[name]) !== JSON.stringify(is?.[name]))
}

function textOf(realm: ShownRealm, { tools }: AnyLine): string {
  const { id, source, created_at, updated_at, version, configuration, oidc, identity } = realm
  if (configuration !== null)
    return tools.table([
      ['id', id],
      ['source', `${configuration.key} in ${configuration.file ?? 'the environment'}`],
    ])
  return tools.table([
    ['id', id],
    ['source', SOURCES[source]],
    ['created', iso(created_at)],
    ['changed', iso(updated_at)],
    ['version', String(version)],
    ['oidc', JSON.stringify(oidc)],
    ['identity', JSON.stringify(identity)],
  ])
}

const iso = (seconds: number | null): string =>
  seconds === null ? '-' : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** Without control characters: no text of a record may control the terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '?')
