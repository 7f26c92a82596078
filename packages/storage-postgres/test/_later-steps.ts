/**
 * The rule for every step after the first: servers of the release before keep working on the new schema. So a step only
 * adds: nullable columns without a default, tables, and indexes, which are built concurrently on tables that exist.
 */

import type { Migration, Queries } from '../src/index.js'

const STATEMENTS = [
  /^create table \w+ \(/,
  /^alter table \w+ add column \w+ [a-z]+( collate "C")?(,? ?add column \w+ [a-z]+( collate "C")?)*$/,
]
const INDEX = /^create (?:unique )?index concurrently (\w+) on \w+ /

/** What the text of a step breaks; empty when nothing. */
export function textFaults({ sql, index }: Migration): string[] {
  const statements = sql
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')
  if (index !== undefined) {
    const single = statements.length === 1 && INDEX.exec(statements[0] ?? '')?.[1] === index
    return single ? [] : [`not one "create index concurrently ${index} on …": ${sql}`]
  }
  const created = statements.flatMap((statement) => /^create table (\w+) /.exec(statement)?.[1] ?? [])
  const isAllowed = (statement: string) => {
    const [, table] = /^create (?:unique )?index \w+ on (\w+) /.exec(statement) ?? []
    return table === undefined
      ? STATEMENTS.some((allowed) => allowed.test(statement))
      : created.includes(table)
  }
  return statements
    .filter((statement) => !isAllowed(statement))
    .map((statement) => `not an addition that the release before can ignore: ${statement}`)
}

/** A property of a table: a column, a constraint, an index, a trigger, or of the schema: a function, a type. */
interface Item {
  relation: string
  item: string
  definition: string
}

const ITEMS = `
  select c.relname as relation, 'column ' || a.attname as item,
    concat_ws(' ', format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
      pg_get_expr(d.adbin, d.adrelid)) as definition
  from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
  union all
  select conrelid::regclass::text, 'constraint ' || conname, pg_get_constraintdef(oid)
  from pg_constraint where connamespace = 'public'::regnamespace
  union all
  select indrelid::regclass::text, 'index ' || indexrelid::regclass, pg_get_indexdef(indexrelid)
  from pg_index join pg_class c on c.oid = indexrelid where c.relnamespace = 'public'::regnamespace
  union all
  select tgrelid::regclass::text, 'trigger ' || tgname, pg_get_triggerdef(oid) from pg_trigger
  union all
  select '', 'function ' || oid::regprocedure, pg_get_functiondef(oid)
  from pg_proc where pronamespace = 'public'::regnamespace`

export const schemaItems = (db: Queries): Promise<Item[]> => db.query<Item>(ITEMS)

/** How the schema after a step breaks the release before; empty when it does not. */
export function schemaFaults(before: readonly Item[], after: readonly Item[], step: Migration): string[] {
  const key = ({ relation, item }: Item) => `${relation} ${item}`
  const then = new Map(before.map((item) => [key(item), item.definition]))
  const now = new Map(after.map((item) => [key(item), item.definition]))
  const relations = new Set(before.map(({ relation }) => relation))
  const changed = [...then]
    .filter(([name, definition]) => now.get(name) !== definition)
    .map(([name]) => `changed or removed: ${name}`)
  const added = after
    .filter((item) => relations.has(item.relation) && !then.has(key(item)))
    .filter(({ item, definition }) => {
      if (item.startsWith('column ')) return !/^[a-z ]+$/.test(definition) || definition.includes('not null')
      return step.index === undefined || item !== `index ${step.index}`
    })
    .map((item) => `added to what the release before uses: ${key(item)} (${item.definition})`)
  return [...changed, ...added]
}
