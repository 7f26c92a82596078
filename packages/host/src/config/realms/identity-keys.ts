interface WithIdentity<Keys> {
  identity: Keys
}

/** The `identity` keys of each realm of a file, and their path. Those at the top are of the realm `default`. */
export const identityKeys = <Keys>({
  identity,
  realms,
}: WithIdentity<Keys> & { realms: Readonly<Record<string, WithIdentity<Keys>>> }): {
  id: string
  path: string
  keys: Keys
}[] => [
  { id: 'default', path: 'identity', keys: identity },
  ...Object.entries(realms).map(([id, realm]) => ({
    id,
    path: `realms.${id}.identity`,
    keys: realm.identity,
  })),
]
