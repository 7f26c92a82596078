import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ROOT } from './_sources.ts'
import { MAX_MUTANTS, readLists, symbolFaults } from './mutants/lists.mjs'
import { changed } from './mutants/operators.mjs'

const SOURCE = `
const LIMIT = 20
export async function guard(token: string | null, now: number): Promise<string> {
  await claim(token, now)
  if (token === null || token.length > LIMIT) return 'none'
  if (now < 10) {
    return text(token)
  }
  const found = list([first, second]).slice(START, LIMIT)
  return query('select 1 from t where realm = $1', { found, ...(token !== null && { token }) })
}
class Door {
  open(): boolean {
    return this.is_open
  }
}
const other = {
  open() {
    return LIMIT
  },
}
`

/** The lines that differ, before and after the change of `guard`. */
function difference(operator: string, fragment: string, other?: string): [string, string] {
  const result = changed(SOURCE, {
    symbol: 'guard',
    operator,
    fragment,
    ...(other !== undefined && { other }),
  })
  if ('fault' in result) throw new Error(result.fault)
  const [before, after] = [SOURCE.split('\n'), result.text.split('\n')]
  const differs = (lines: string[], others: string[]) =>
    lines
      .filter((line) => !others.includes(line))
      .join()
      .trim()
  return [differs(before, after), differs(after, before)]
}

const faultOf = (symbol: string, operator: string, fragment: string) =>
  changed(SOURCE, { symbol, operator, fragment })

const CONDITION = "if (token === null || token.length > LIMIT) return 'none'"
const LIST = 'const found = list([first, second]).slice(START, LIMIT)'
const QUERY = "return query('select 1 from t where realm = $1', { found, ...(token !== null && { token }) })"

describe('an operator changes exactly what it says', () => {
  it.each<[change: Parameters<typeof difference>, before: string, after: string]>([
    [['drop', 'await claim'], 'await claim(token, now)', ''],
    [['drop', 'if (token'], CONDITION, ''],
    [['drop', "return 'none'"], CONDITION, 'if (token === null || token.length > LIMIT) {}'],
    [['drop', 'token === null'], CONDITION, "if (token.length > LIMIT) return 'none'"],
    [['drop', 'token.length'], CONDITION, "if (token === null) return 'none'"],
    [['drop', '.slice('], LIST, 'const found = list([first, second])'],
    [['drop', 'first'], LIST, 'const found = list([second]).slice(START, LIMIT)'],
    [['drop', 'second'], LIST, 'const found = list([first]).slice(START, LIMIT)'],
    [['drop', 'START'], LIST, 'const found = list([first, second]).slice(LIMIT)'],
    [['drop', '...(token'], QUERY, "return query('select 1 from t where realm = $1', { found })"],
    [['always', 'now < 10'], 'if (now < 10) {', 'if (true) {'],
    [['never', 'token === null || token'], CONDITION, "if (false) return 'none'"],
    [['negate', 'now <'], 'if (now < 10) {', 'if (!(now < 10)) {'],
    [['compare', 'now <', '<='], 'if (now < 10) {', 'if (now <= 10) {'],
    [['replace', '10', '11'], 'if (now < 10) {', 'if (now < (11)) {'],
    [['replace', 'text(', "''"], 'return text(token)', "return ('')"],
    [['unwrap', 'text('], 'return text(token)', 'return token'],
    [['unwrap', 'await claim'], 'await claim(token, now)', 'claim(token, now)'],
    [['text', ' where realm = $1', ''], QUERY, QUERY.replace(' where realm = $1', ' ')],
  ])('%j', (change, before, after) => {
    expect(difference(...change)).toEqual([before, after])
  })
})

describe('a mutant', () => {
  it('is found on a line that is formatted anew', () => {
    const formatted = SOURCE.replace('token === null || token', 'token ===\n      null ||\n      token')
    expect(formatted).not.toBe(SOURCE)
    expect(
      changed(formatted, { symbol: 'guard', operator: 'never', fragment: 'token === null || token' }),
    ).toEqual({ text: SOURCE.replace('token === null || token.length > LIMIT', 'false') })
  })

  it('is in one symbol, by a fragment that occurs once', () => {
    expect(faultOf('gone', 'drop', 'return')).toEqual({ fault: 'there is no symbol gone' })
    expect(faultOf('open', 'drop', 'return')).toEqual({ fault: 'there are 2 symbols open' })
    expect(faultOf('Door.open', 'drop', 'return')).toHaveProperty('text')
    expect(faultOf('guard', 'drop', 'LIMIT')).toEqual({ fault: 'guard has its fragment 2 times: LIMIT' })
    expect(faultOf('guard', 'drop', 'await stored')).toEqual({
      fault: 'guard has its fragment 0 times: await stored',
    })
    expect(faultOf('guard', 'turn', 'await')).toEqual({ fault: 'there is no operator turn' })
    expect(faultOf('guard', 'compare', 'await')).toEqual({
      fault: 'compare finds nothing in guard that begins with await',
    })
  })
})

describe('the lists', () => {
  it(`have at most ${MAX_MUTANTS} mutants, each in a symbol that is in its file`, async () => {
    const mutants = (await readLists([], '')).flatMap((list) => list.mutants)
    expect(mutants.flatMap(symbolFaults)).toEqual([])
    expect(mutants.length).toBeLessThanOrEqual(MAX_MUTANTS)
    expect(mutants.length).toBeGreaterThan(MAX_MUTANTS / 2)
  })
})

it('the tests of a mutant run with the changed file', () => {
  const run = ['test/mutants/run.mjs', 'resource-server', '--only', 'dpop: key']
  const printed = execFileSync(process.execPath, run, { cwd: ROOT, encoding: 'utf8' })
  expect(printed).toContain('1 killed, 0 survived, 0 could not be judged')
})
