/** What a realm has that ends with it. */

interface QueryRunner {
  query<T>(text: string, params?: readonly string[]): Promise<T[]>
}

/** How many a realm has; `MAX_COUNTED` stands for more. Null where they are not counted. */
export interface RealmCounts {
  clients: number | null
  users: number | null
  sessions: number | null
  grants: number | null
  consents: number | null
  /** Of signing keys. */
  keys: number
}

const MAX_COUNTED = 10_000

const TABLES = {
  clients: 'oidc_clients',
  users: 'oidc_users',
  sessions: 'oidc_sessions',
  grants: 'oidc_grants',
  consents: 'oidc_consents',
  keys: 'oidc_signing_keys',
} as const

const countOf = (table: string): string =>
  `(select count(*)::int from (select from ${table} where realm = $1 limit ${MAX_COUNTED}) as counted)`

const UNCOUNTED: RealmCounts = {
  clients: null,
  users: null,
  sessions: null,
  grants: null,
  consents: null,
  keys: 0,
}

/** @param elsewhere What is in other databases, and is not counted. */
export async function countRealm(
  db: QueryRunner,
  id: string,
  elsewhere: readonly (keyof RealmCounts)[] = [],
): Promise<RealmCounts> {
  const counted = Object.entries(TABLES).filter(([name]) => !elsewhere.includes(name as keyof RealmCounts))
  const columns = counted.map(([name, table]) => `${countOf(table)} as ${name}`)
  const [counts] = await db.query<Partial<RealmCounts>>(`select ${columns.join(', ')}`, [id])
  return { ...UNCOUNTED, ...counts }
}
