import { describe, expect, it } from 'vitest'
import type { CommandInput } from '../src/cli/command.ts'
import { searched } from '../src/cli/workspace.ts'

const inputOf = (options: Record<string, string>): CommandInput => ({
  args: [],
  text: (option) => options[option],
  flag: (option) => option in options,
  list: () => [],
})

/** A list of `count` entries, in the order of their ids, that counts what is read. */
function listOf(count: number) {
  const state = { read: 0 }
  const ids = Array.from({ length: count }, (_, n) => `id-${String(n).padStart(6, '0')}`)
  const list = async ({ after, limit }: { after?: string; limit: number }) => {
    const from = after === undefined ? 0 : ids.findIndex((id) => id > after)
    const page = from < 0 ? [] : ids.slice(from, from + limit)
    state.read += page.length
    return page
  }
  const idOf = (id: string) => id
  return { state, searchable: { list, idOf, textsOf: (id: string) => [null, id, undefined] } }
}

describe('a search', () => {
  it('reads at most 100,000 entries, and says where to continue', async () => {
    const { state, searchable } = listOf(100_500)
    expect(await searched(inputOf({ search: 'none' }), searchable)).toEqual({ items: [], next: 'id-099999' })
    expect(state.read).toBe(100_000)
    expect(await searched(inputOf({ search: 'none', after: 'id-099999' }), searchable)).toEqual({
      items: [],
      next: null,
    })
    expect(await searched(inputOf({ search: '100499' }), searchable)).toEqual({
      items: [],
      next: 'id-099999',
    })
    expect(await searched(inputOf({ search: 'ID-100499', after: 'id-099999' }), searchable)).toEqual({
      items: ['id-100499'],
      next: null,
    })
  })

  it('stops when the page is full, and goes through all matches page by page', async () => {
    const { state, searchable } = listOf(5000)
    const found: string[] = []
    let after: string | null = null
    do {
      const options = { search: '99', limit: '10', ...(after !== null && { after }) }
      const page: { items: string[]; next: string | null } = await searched(inputOf(options), searchable)
      found.push(...page.items)
      after = page.next
    } while (after !== null)
    expect(found).toEqual([...new Set(found)])
    expect(found).toHaveLength(
      (await searchable.list({ limit: 5000 })).filter((id) => id.includes('99')).length,
    )
    state.read = 0
    await searched(inputOf({ search: 'id', limit: '10' }), searchable)
    expect(state.read).toBe(1000)
  })

  it('without --search it is one page of the list', async () => {
    const { state, searchable } = listOf(60)
    expect(await searched(inputOf({}), searchable)).toMatchObject({ next: 'id-000049' })
    expect(state.read).toBe(51)
  })
})
