/** The rules of docs/architecture.md: imports point one way, files stay small, and no runtime is named where it must not be. */

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  circleIn,
  importsOf,
  lineCount,
  loadedBy,
  ROOT,
  roomOf,
  type SourceFile,
  sourceFolders,
  sourcesOf,
  withoutComments,
} from './_sources.ts'

/**
 * The layers of each package, lowest first, by the rooms in them: a folder below `src`, or a file that is in no folder.
 * A layer imports itself and those before it.
 */
const LAYERS: Record<string, string[]> = {
  'resource-server': [
    'algorithms turns utf8',
    'platform platform-node',
    'signature',
    'jwt',
    'attachment bearer unavailable unknown-option cached-value loopback metadata scopes',
    'dpop',
    'access-token token-store principal authentication',
    'issuer',
    'keys',
    'guard',
    'options',
    'profile',
    'settings',
    'introspection-client',
    'introspection',
    'resource-server',
    'adapters',
    'index',
  ],
  core: [
    'declarations storage util',
    'refusals',
    'http',
    'config',
    'crypto',
    'prompts realm',
    'request',
    'documents',
    'clients',
    'dpop',
    'tokens',
    'authorize',
    'grants',
    'features',
    'endpoints',
    'jobs',
    'provider',
    'common index',
  ],
  messages: [
    'authenticators device-name message parameters',
    'texts',
    'catalogs',
    'check-catalog choose',
    'index',
  ],
  totp: ['qr-path totp totp-uri', 'index'],
  webauthn: [
    'base64url extension-map public-key',
    'passkey',
    'authenticator-data client-data cose-key options',
    'response',
    'webauthn',
    'index',
  ],
  identity: [
    'events',
    'web',
    'settings',
    'outbox',
    'users',
    'pages',
    'sign-in',
    'factors',
    'account recovery mail',
    'later',
    'identity-options',
    'routes invite',
    'identity',
    'index',
  ],
  upstream: [
    'known private-key refusal',
    'settings',
    'protocol',
    'rules',
    'hints texts ways',
    'pages',
    'reach upstreams',
    'index',
  ],
  'access-rules': ['texts', 'applications refused', 'index'],
  'account-deletion': [
    'place request-record texts',
    'due notice restore',
    'request',
    'account-deletion',
    'index',
  ],
  addresses: ['link texts username', 'letters pages section', 'account acts', 'answer', 'addresses', 'index'],
  'admin-client': [
    'client login-error',
    'server-origin',
    'http store',
    'sign-in',
    'connection',
    'remote',
    'local',
    'command-types',
    'command-runs',
    'commands',
    'index',
  ],
  admin: ['roles settings', 'resource', 'api', 'index'],
  'admin-commands': ['answers in-server', 'audit person roles', 'operations', 'api index'],
  audit: [
    'kept per-realm row settings',
    'store minute',
    'database-store memory-store recorder seals',
    'changes',
    'events rows rules',
    'wrap',
    'audit',
    'open',
    'index',
  ],
  'audit-sinks': [
    'cursor events hints payload row-types',
    'database-store memory-store security-event unsent webhook',
    'open settings',
    'attempt',
    'command-types deliver',
    'sinks status',
    'commands',
    'index',
  ],
  console: [
    'paths texts web',
    'account-link',
    'client session',
    'visit',
    'commands options',
    'pages',
    'routes users',
    'answer',
    'console',
    'index',
  ],
  'console-activity': [
    'texts',
    'visit',
    'pages',
    'rows',
    'audit explain find home sign-ins',
    'areas',
    'index',
  ],
  'console-clients': ['texts', 'visit', 'clients', 'try', 'area', 'index'],
  'console-settings': ['texts', 'visit', 'acts', 'keys mail roles', 'areas', 'index'],
  'console-setup': [
    'texts',
    'visit',
    'registration upstreams',
    'areas command-types',
    'command-runs',
    'commands',
    'index',
  ],
  'email-codes': ['code texts waiting', 'letter limits pages', 'answer', 'email-codes', 'index'],
  'email-sign-in': ['address entries label settings', 'fill find', 'users', 'email-sign-in', 'index'],
  recovery: ['settings texts link', 'letters pages', 'show', 'acts', 'recovery', 'index'],
  simulation: [
    'noted reasons sign-in simulation-error',
    'bounds place',
    'outcome source',
    'authorization tokens',
    'simulation',
    'operation-schemas operations',
    'command-types',
    'command-places',
    'command-runs',
    'commands',
    'index',
  ],
  realms: [
    'realm-store realm-error',
    'database-store directory memory-store run-time',
    'effects purge settings shown',
    'changes server-realms',
    'kit lists',
    'api commands console',
    'index',
  ],
  'realm-operations': [
    'operation operation-error',
    'lists',
    'client-users keys mail status',
    'operations',
    'index',
  ],
  terms: ['settings texts waiting', 'pages', 'terms', 'index'],
  'sign-up': ['address', 'settings texts', 'letters pages', 'sign-up', 'index'],
  'password-hashes': ['older-hash', 'kinds', 'read-hash', 'passwords', 'import', 'index users'],
  explain: ['before expired mended sentence', 'advice', 'story', 'index'],
  'personal-data': ['document', 'personal-data command-types', 'run', 'index'],
  'password-rules': ['blocklist-file common-passwords compromised', 'blocklist', 'password-rules', 'index'],
  host: [
    'values',
    'log',
    'network',
    'config',
    'audit',
    'storage',
    'metrics',
    'mail',
    'server',
    'management',
    'process',
    'doctor',
    'cli',
    'index',
  ],
  'storage-pglite': [
    'process-identity schema',
    'template',
    'folder-lock folder-guard',
    'socket',
    'pglite-executor',
    'index make-template',
  ],
  'storage-postgres': [
    'connection',
    'migrations',
    'stores',
    'ranges',
    'sharded',
    'moving',
    'restores',
    'diagnosis',
    'errors',
    'storage',
    'index',
  ],
  'create-ostiary': ['templates', 'project', 'run', 'index main'],
  'storage-redis': [
    'keys',
    'script',
    'connection',
    'tags',
    'walk',
    'purge scan',
    'grant-scripts',
    'expiring client-documents clients consents grants logouts sessions signing-keys throttle',
    'redis-storage',
    'delete-realm diagnosis',
    'address errors index',
  ],
  'storage-conformance': [
    'ids odd-texts tags',
    'records rule',
    'device-records',
    'background client-changes client-documents clients consents copies deletion grant-binding grant-races grant-revocation grants issue keys logouts pending people purge realms replays revoked-tokens sessions spent-tokens throttle',
    'index',
  ],
}
/** Layers whose files do not import each other: an endpoint never imports an endpoint. */
const APART = /^core: endpoints\//

/** Core's own adapter: it knows the storage interface and nothing else. */
const ADAPTER = /^storage\/memory\//

const MAX_FILE_LINES = 300
const MAX_FUNCTION_LINES = 60
const MAX_PARAMETERS = 3
const MAX_FILES_IN_FOLDER = 30
const MAX_FEATURE_LINES = 700
/** Folders of features with more lines. The list may only shrink. */
const LARGER_FEATURES: Readonly<Record<string, number>> = { device: 802 }

/** The files that are about all features, and what they import of each. */
const FEATURE_ROWS = [
  /^features -> features\/[^/]+\/feature$/,
  /^features\/declarations -> features\/[^/]+\/(?:events|names|reasons|records|settings)$/,
  /^features\/types -> features\/[^/]+\/(?:prompts|records)$/,
]
/** What else may import a file of a feature from outside of its folder. */
const FEATURE_DOORS = [
  'endpoints/authorize -> features/par/pushed-request',
  'provider/provider-options -> features/client-documents/feature',
]
/** Files that name a capability, here the device authorization grant, beside its folder: what the next one has to touch. */
const DEVICE_DOORS = [
  // Generated.
  'clients/client-options',
  // It has a field of clients.
  'clients/fields',
  // Generated.
  'config/realm-config',
  'features',
  'features/declarations',
  'features/types',
]
const NAMES_DEVICES = /device_authorization|device_code|\bdevice[A-Z]|\bDevice|DEVICE|'device\.|\/device\//
/** Where DPoP is asked: five places, of which pushed requests have two. */
const DPOP_DOORS = [
  // The authorization request.
  'authorize/parse-request',
  // The token request.
  'endpoints/token',
  // Requests that are pushed: by a client, and for a device.
  'features/device/endpoint',
  'features/par/endpoint',
  // The end of every grant.
  'tokens/issue-tokens',
  // The guard.
  'tokens/oidc-guard',
]
/** What `endpoints/token.ts` imports of core at run time, directly or not, itself included. */
const MAX_TOKEN_PATH_FILES = 33
const MAX_TOKEN_PATH_LINES = 2_600

describe.each(Object.entries(LAYERS))('%s', (packageName, layers) => {
  const files = sourcesOf(`packages/${packageName}`).filter(
    ({ name }) => packageName !== 'core' || !ADAPTER.test(name),
  )
  const layerOf = (room: string): number => layers.findIndex((rooms) => rooms.split(' ').includes(room))

  it('has a layer for every file, and files in every layer', () => {
    const rooms = [...new Set(files.map(({ room }) => room))]
    expect(layers.flatMap((names) => names.split(' ')).sort()).toEqual(rooms.sort())
  })

  it('imports in one direction', () => {
    const isWrong = ({ name, room }: SourceFile, target: string): boolean => {
      if (APART.test(`${packageName}: ${name}`) && room === roomOf(target)) return true
      return ADAPTER.test(target) || layerOf(roomOf(target)) > layerOf(room)
    }
    const wrong = files.flatMap((file) =>
      file.imports.filter(({ name }) => isWrong(file, name)).map(({ name }) => `${file.name} -> ${name}`),
    )
    expect(wrong).toEqual([])
  })
})

describe('core', () => {
  const files = sourcesOf('packages/core')

  it('has an adapter that imports only the storage interface', () => {
    const adapter = files.filter(({ name }) => ADAPTER.test(name))
    expect(adapter.length).toBeGreaterThan(0)
    const others = adapter
      .flatMap(({ imports }) => imports.map(({ name }) => name))
      .filter((name) => !ADAPTER.test(name))
    expect([...new Set(others)]).toEqual(['storage/storage'])
  })

  it('has the path of each endpoint only in paths.ts, and in urls.ts of its feature', () => {
    const builders = files.filter(({ text }) =>
      /['"`][^'"`\n]*\/(?:oauth|\.well-known)\//.test(withoutComments(text)),
    )
    const others = builders.filter(({ name }) => !/^features\/[^/]+\/urls$/.test(name))
    expect(others.map(({ name }) => name)).toEqual(['http/paths'])
  })

  it('creates a RedirectTarget only in redirect-target.ts', () => {
    const makers = files.filter(({ text }) => /\bas RedirectTarget\b/.test(text))
    expect(makers.map(({ name }) => name)).toEqual(['authorize/redirect-target'])
  })

  const featureOf = (name: string): string | undefined => /^features\/([^/]+)\/./.exec(name)?.[1]

  it('enters the folder of a feature by its doors only', () => {
    const entries = files.flatMap(({ name, imports }) =>
      imports
        .filter((each) => featureOf(each.name) !== undefined && featureOf(each.name) !== featureOf(name))
        .map((each) => `${name} -> ${each.name}`),
    )
    expect(entries.filter((entry) => !FEATURE_ROWS.some((row) => row.test(entry))).sort()).toEqual(
      FEATURE_DOORS,
    )
  })

  it('names the device authorization grant where each capability is named, and nowhere else', () => {
    const namers = files.filter(
      ({ name, text }) => featureOf(name) !== 'device' && NAMES_DEVICES.test(withoutComments(text)),
    )
    expect(namers.map(({ name }) => name).sort()).toEqual(DEVICE_DOORS)
  })

  it('asks about DPoP in five places', () => {
    const askers = files.filter(
      ({ room, imports }) => room !== 'dpop' && imports.some(({ name }) => roomOf(name) === 'dpop'),
    )
    expect(askers.map(({ name }) => name).sort()).toEqual(DPOP_DOORS)
  })

  it(`has at most ${MAX_FEATURE_LINES} lines in the folder of a feature, without what it declares`, () => {
    const lines: Record<string, number> = {}
    for (const { name, room, text } of files) {
      const feature = room === 'features' ? featureOf(name) : undefined
      if (feature !== undefined) lines[feature] = (lines[feature] ?? 0) + lineCount(text)
    }
    const larger = Object.entries(lines).filter(
      ([feature, count]) => count > (LARGER_FEATURES[feature] ?? MAX_FEATURE_LINES),
    )
    expect(larger).toEqual([])
    for (const feature of Object.keys(LARGER_FEATURES))
      expect(lines[feature]).toBeGreaterThan(MAX_FEATURE_LINES)
  })

  it('has three files in no folder', () => {
    const loose = files.filter(({ name }) => !name.includes('/'))
    expect(loose.map(({ name }) => name).sort()).toEqual(['features', 'index', 'provider'])
  })

  it(`the token path has at most ${MAX_TOKEN_PATH_FILES} files and ${MAX_TOKEN_PATH_LINES} lines`, () => {
    const path = loadedBy(files, 'endpoints/token')
    expect(path.map(({ name }) => name)).toContain('tokens/signing-keys')
    expect(path.length).toBeLessThanOrEqual(MAX_TOKEN_PATH_FILES)
    const lines = path.reduce((sum, { text }) => sum + lineCount(text), 0)
    expect(lines).toBeLessThanOrEqual(MAX_TOKEN_PATH_LINES)
  })
})

/** `imports` of package.json chooses it on Node and Bun only; everywhere else it is `platform`. */
const NODE_PLATFORM = 'platform-node'

describe.each(['core', 'resource-server'])('%s', (packageName) => {
  it('names no runtime: Web APIs only', () => {
    const runtime = /from '(?:node|bun|deno|cloudflare):|\b(?:process|Buffer|Deno|Bun)\.|\brequire\(/
    const files = sourcesOf(`packages/${packageName}`).filter(({ name }) => name !== NODE_PLATFORM)
    expect(files.filter(({ text }) => runtime.test(withoutComments(text))).map(({ name }) => name)).toEqual(
      [],
    )
  })
})

/** The type of the record, the table, and the interface that is generated from it. A migration that is done does not change. */
const CLIENT_FIELD_LISTS = ['clients/client-options', 'clients/fields', 'storage/client-records']
const CLIENT_FIELD_ROW = /^ {2}(\w+): \{/gm

it('the fields of a client are listed in one table, its type and what is generated from it', () => {
  const table = sourcesOf('packages/core').find(({ name }) => name === 'clients/fields')
  const fields = [...(table?.text ?? '').matchAll(CLIENT_FIELD_ROW)].map(([, name]) => name)
  expect(fields.length).toBeGreaterThan(30)
  const named = ({ text }: SourceFile) =>
    fields.filter((field) => new RegExp(`\\b${field}\\b`).test(withoutComments(text))).length
  const lists = Object.keys(LAYERS)
    .filter((packageName) => packageName !== 'storage-conformance')
    .flatMap((packageName) => sourcesOf(`packages/${packageName}`))
    .filter(({ name }) => !name.startsWith('migrations/'))
    .filter((file) => named(file) > fields.length / 2)
  expect(lists.map(({ name }) => name).sort()).toEqual(CLIENT_FIELD_LISTS)
})

it('every published package has its layers here', () => {
  const names = sourceFolders().filter((folder) => folder.startsWith('packages/'))
  expect(names.sort()).toEqual(
    Object.keys(LAYERS)
      .map((name) => `packages/${name}`)
      .sort(),
  )
})

describe.each(sourceFolders())('%s', (folder) => {
  const files = sourcesOf(folder)

  it('has no circle of imports, types included', () => {
    expect(files.length).toBeGreaterThan(0)
    expect(circleIn(files)).toBeUndefined()
  })

  it(`keeps every file at ${MAX_FILE_LINES} lines or fewer`, () => {
    expect(files.filter(({ text }) => lineCount(text) > MAX_FILE_LINES).map(({ name }) => name)).toEqual([])
  })

  it(`has at most ${MAX_FILES_IN_FOLDER} files in a folder`, () => {
    const counts: Record<string, number> = {}
    for (const { name } of files) counts[dirname(name)] = (counts[dirname(name)] ?? 0) + 1
    expect(Object.entries(counts).filter(([, count]) => count > MAX_FILES_IN_FOLDER)).toEqual([])
  })

  it('exports by name, and a package has no class but errors', () => {
    const classes = /\bexport default\b|\bclass (?!\w+ extends \w*Error\b)/
    const forbidden = folder.startsWith('packages/') ? classes : /\bexport default\b/
    expect(files.filter(({ text }) => forbidden.test(withoutComments(text))).map(({ name }) => name)).toEqual(
      [],
    )
  })
})

interface Override {
  includes: string[]
  linter: { rules: object }
}

describe('biome.json', () => {
  const { linter, overrides } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'))
  const { complexity, nursery, style, suspicious } = linter.rules

  it('limits functions and parameters, and allows no circle, nested ternary or useless spread', () => {
    expect(complexity.noExcessiveLinesPerFunction).toEqual({
      level: 'error',
      options: { maxLines: MAX_FUNCTION_LINES },
    })
    expect(complexity.useMaxParams).toEqual({ level: 'error', options: { max: MAX_PARAMETERS } })
    expect(suspicious.noImportCycles).toBe('error')
    expect(style.noNestedTernary).toBe('error')
    expect(nursery.noUselessSpread).toBe('error')
  })

  it('makes no exception for sources but the length of functions that hold tests', () => {
    const exceptions = overrides.map(({ includes, linter: { rules } }: Override) => [includes, rules])
    expect(exceptions).toEqual([
      [['**/test/mutants/**'], { suspicious: { noTemplateCurlyInString: 'off' } }],
      [
        ['**/test/**', '**/*.test.ts', 'packages/storage-conformance/src/**'],
        { complexity: { noExcessiveLinesPerFunction: 'off' } },
      ],
    ])
  })
})

describe('the check itself', () => {
  it('reads imports of every form, and which of them are types', () => {
    const text = `
      import { a } from './a.js'
      import type { B } from './b.js'
      import { type C } from './c.js'
      import { type D, d } from './d.js'
      export * from './e.js'
      export type { F } from './f.js'
      const g = await import('./g.js')
      import { h } from 'h'
      // import { i } from './i.js'
    `
    const targets = importsOf(text).map(({ target, types_only }) => (types_only ? `type ${target}` : target))
    expect(targets).toEqual([
      './a.js',
      'type ./b.js',
      'type ./c.js',
      './d.js',
      './e.js',
      'type ./f.js',
      './g.js',
    ])
  })

  it('finds a circle of three, one of types', () => {
    const file = (name: string, target: string, types_only = false): SourceFile => ({
      name,
      room: name,
      text: '',
      imports: [{ name: target, types_only }],
    })
    expect(circleIn([file('a', 'b'), file('b', 'c', true), file('c', 'a')])).toEqual(['a', 'b', 'c', 'a'])
    expect(circleIn([file('a', 'b'), file('b', 'c')])).toBeUndefined()
  })
})
