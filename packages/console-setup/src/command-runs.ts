/** What the commands do. */

import type { UpstreamResult, Upstreams, UpstreamTools } from './command-types.js'
import type { ShownUpstream, UpstreamCheck } from './upstreams/upstream.js'

type Args = readonly string[]

/** By the names of the commands. @throws Errors of the command line */
export const RUNS = {
  'upstream list': async ({ list }: Upstreams, { table }: UpstreamTools, _args: Args) => listed(list, table),
  'upstream show': async (upstreams: Upstreams, tools: UpstreamTools, args: Args) => {
    const upstream = found(upstreams, tools, args)
    return { text: tools.table(rowsOf(upstream)), json: upstream }
  },
  'upstream check': async (upstreams: Upstreams, tools: UpstreamTools, args: Args) => {
    const { id } = found(upstreams, tools, args)
    return checked((await upstreams.check(id)) ?? failed(id))
  },
}

/** The configuration was changed meanwhile. */
const failed = (id: string): UpstreamCheck => ({
  id,
  asked: false,
  ready: false,
  reason: 'gone',
  hint: 'The server has no such provider any more.',
})

function listed(list: readonly ShownUpstream[], table: UpstreamTools['table']): UpstreamResult {
  const json = { upstreams: list }
  if (list.length === 0)
    return { text: '', json, note: 'The realm has no other providers: set identity.upstreams' }
  const rows = list.map(({ id, name, issuer, redirect_uri }) => [id, name, issuer ?? '-', redirect_uri])
  return { text: table([['ID', 'NAME', 'ISSUER', 'REDIRECT_URI'], ...rows]), json }
}

/** @throws `notFound` of the command line */
function found({ list }: Upstreams, { notFound }: UpstreamTools, [id = '']: Args): ShownUpstream {
  const upstream = list.find((each) => each.id === id)
  if (upstream !== undefined) return upstream
  const known = list.length === 0 ? 'none' : list.map((each) => each.id).join(', ')
  throw notFound(`There is no provider ${JSON.stringify(id)}: the realm has ${known}`)
}

function rowsOf({ groups, ...upstream }: ShownUpstream): string[][] {
  const mapped = Object.entries(groups?.map ?? {}).map(([value, group]) => `${value}=${group}`)
  const members = { ...upstream, groups: groups && `${groups.claim}: ${mapped.join(' ')}` }
  return Object.entries(members).map(([name, value]) => [name, textOf(value)])
}

function textOf(value: string | boolean | readonly string[] | null): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = typeof value === 'string' ? value : (value?.join(' ') ?? '')
  return text === '' ? '-' : text
}

function checked(check: UpstreamCheck): UpstreamResult {
  const { id, asked, ready, reason, hint } = check
  const state = asked ? 'answers' : 'needs no document'
  if (!ready) return { text: `A sign-in at ${id} cannot begin (${reason}). ${hint}`, json: check, code: 1 }
  return {
    text: `${id} ${state}; whether it accepts client id and secret, only a sign-in shows`,
    json: check,
  }
}

type Send = <Answer>(method: string, path: readonly string[]) => Promise<Answer>

/** Those of a server. What it answers is checked before it is shown. @throws `failure` of the command line */
export async function remoteUpstreams(send: Send, tools: UpstreamTools): Promise<Upstreams> {
  const answer = await send<{ items?: unknown } | null>('GET', ['upstreams'])
  const items = answer?.items
  if (!Array.isArray(items) || !items.every(isUpstream)) throw notTheApi(tools)
  return {
    list: items,
    async check(id) {
      const check = await send<Partial<UpstreamCheck> | null>('POST', ['upstreams', id, 'check'])
      if (check?.id !== id || typeof check.ready !== 'boolean') throw notTheApi(tools)
      return check as UpstreamCheck
    },
  }
}

const isUpstream = (item: unknown): item is ShownUpstream => {
  const { id, name, redirect_uri } = (item ?? {}) as Record<string, unknown>
  return [id, name, redirect_uri].every((value) => typeof value === 'string')
}

const notTheApi = ({ failure }: UpstreamTools): Error =>
  failure('The answer about upstreams is not that of the admin API: is this the address of the server?')
