/** docs/configuration.md and the JSON Schema for editors, from the schema that the servers check with. */

import { bareSchema } from '@ostiary/core'
import * as z from 'zod'
import { type Variable, variables } from '../src/config/environment.ts'
import { clientSchema, configSchema, userSchema } from '../src/config/file-schema.ts'
import { type Leaf, leaves } from '../src/config/schema-keys.ts'
import { withDefinitions } from './definitions.ts'

export function configurationPage(): string {
  const isOidc = ({ path }: Leaf) => path.startsWith('oidc.')
  return `# Configuration

<!-- Generated from packages/host/src/config/file-schema.ts by \`npx -y pnpm@12.21.0 --filter @ostiary/host run docs\`. -->

A server reads the file \`./ostiary.config.json\`, or the one that the variable \`OSTIARY_CONFIG\` names, and its environment. Every key
below can be set in either; a variable takes precedence. Without a file, and without an \`OSTIARY_\` variable below \`app\`, \`oidc\`,
\`clients\`, \`users\` or \`realms\`, the server runs in try-out mode, with a demo user and a demo client. If \`DATABASE_URL\` or
\`REDIS_URL\` is set, \`NODE_ENV\` is \`production\` or \`HOST\` is not the loopback, the start fails instead and names the missing file;
\`serve --try-out\` starts the demo anyway.

- The **file** is JSON; comments and trailing commas are allowed. \`{ "oidc": { "tokens": { "access_token": 600 } } }\` sets
  \`oidc.tokens.access_token\`. For completion and checks in an editor, run
  \`ostiary config schema > ostiary.config.schema.json\` and begin the file with \`"$schema": "./ostiary.config.schema.json"\`; at the
  top of a clone of the repository, begin it with \`"$schema": "./packages/host/ostiary.config.schema.json"\`.
- The **variable** of a key is \`OSTIARY_\` and its path in upper case, joined by two underscores:
  \`OSTIARY_OIDC__TOKENS__ACCESS_TOKEN=600\`. A list or a map is JSON: \`OSTIARY_TRUSTED_PROXIES='["10.0.0.0/8"]'\`. If the key has a
  short name, set only one of the two. An empty variable counts as unset.
- A list or a map replaces the other one as a whole; they are never merged.
- An unknown key, a misspelled variable that begins with \`OSTIARY_\` and a wrong value are errors. All are reported at once, each with
  its key or variable, and with the name that was probably meant. \`ostiary config print\` shows the configuration that a server would
  use, and the source of each value.

## Server

${table(variables().filter((leaf) => !isOidc(leaf)))}

## oidc

${table(variables().filter(isOidc))}

## Entries of clients

${table(leaves(clientSchema))}

A client with \`client_secret\` or \`client_secret_env\` is confidential. Of the commands, only \`serve\`, \`doctor\` and \`config print\` need
the variable that \`client_secret_env\` names. Only \`serve\` needs the one of \`password_env\`, until the user has a password.

- **Authentication.** A client with a secret may use \`client_secret_basic\` and \`client_secret_post\`, one in each request, unless
  \`token_endpoint_auth_method\` names one.
- **PKCE** is required of every client. \`require_pkce: false\` is for a client with a secret whose library cannot send it: then the secret
  and the client's check of \`nonce\` protect its codes, so it should send \`nonce\`. A request that has a \`code_challenge\` is held to it.
- **Redirect URIs** are https or http with a host, or have a scheme of their own: \`myapp://host/path\`, or
  \`com.example.app:/path\` with a dot in the scheme, one slash and no host (RFC 8252 §7.1).
- **\`default_resource\`** is the resource of authorization requests and of \`client_credentials\` requests that have no \`resource\`. A
  request for the issuer itself then needs \`resource=<issuer>\`. \`oidc.clients.default_resource\` is the same for every client without
  one of its own, except in a token exchange, where only the client's own counts.
- **Lifetimes.** \`access_token_lifetime\` applies to all access tokens of the client. It is at most the longest of
  \`oidc.tokens.access_token\`, \`id_token\` and \`client_credentials\`, because retired signing keys
  stay published that long. Refresh tokens end with the session, or with \`oidc.tokens.offline_absolute\`, at the latest.

## Entries of users

${table(leaves(userSchema))}

## Entries of oidc.resources, oidc.scopes and oidc.claims

${table([...entryOf('resources'), ...entryOf('scopes'), ...entryOf('claims')])}
`
}

const entryOf = (map: 'resources' | 'scopes' | 'claims'): Leaf[] => {
  const record = bareSchema(configSchema.shape.oidc.shape[map]) as z.ZodRecord
  return leaves(record.valueType as z.ZodType).map((leaf) => ({
    ...leaf,
    path: `${map}.<name>.${leaf.path}`,
  }))
}

function table(rows: readonly (Leaf | Variable)[]): string {
  const named = rows.some((row) => 'names' in row)
  const head = ['key', ...(named ? ['short variable'] : []), 'type', 'default', 'meaning']
  const lines = rows.map((row) => [
    `\`${row.path}\``,
    ...(named ? [shortName(row)] : []),
    typeOf(row.schema),
    defaultText(row.default_value),
    row.description.replaceAll('<', '\\<'),
  ])
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function shortName(row: Leaf | Variable): string {
  const short = 'names' in row ? row.names.slice(0, -1) : []
  return short.map((name) => `\`${name}\``).join(', ')
}

function typeOf(schema: z.ZodType): string {
  const inner = bareSchema(schema)
  if (inner instanceof z.ZodString) return 'text'
  if (inner instanceof z.ZodNumber) return 'number'
  if (inner instanceof z.ZodBoolean) return 'true, false'
  if (inner instanceof z.ZodEnum) return inner.options.map((option) => `\`${option}\``).join(', ')
  return inner instanceof z.ZodRecord ? 'map' : 'list'
}

function defaultText(value: unknown): string {
  if (value === undefined) return ''
  const text = JSON.stringify(value)
  return text.length > 60 ? 'all that are provided' : `\`${text}\``
}

/** The JSON Schema of the file, in draft 7, which most editors support. A key without others in it is one line: the schema is part of the package. */
export function editorSchema(): string {
  const schema = z.toJSONSchema(configSchema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
  })
  // Extensions of Visual Studio Code.
  const syntax = { allowComments: true, allowTrailingCommas: true }
  const file = { title: 'ostiary.config.json', ...syntax, ...withDefinitions(schema) }
  const text = JSON.stringify(file, null, '\t')
  return `${text.replaceAll(/[{[]\n[^{}[\]]*[}\]]/g, (innermost) => innermost.replaceAll(/\n\t*/g, ''))}\n`
}
