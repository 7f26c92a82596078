import { describe, expect, it } from 'vitest'
import { resolveTheme, type Theme, ThemeError } from './theme.js'

describe('variables', () => {
  it.each([
    '#0a6b4f',
    'rgb(10 107 79 / 80%)',
    'color-mix(in oklab, #0a6b4f 40%, white)',
    'calc(1rem + 2px)',
    '"Acme Sans", Georgia, serif',
    '0',
    '-1.5rem',
  ])('take %j', (value) => {
    expect(resolveTheme({ variables: { '--ostiary-accent': value } }).css).toContain(
      `--ostiary-accent:${value};`,
    )
  })

  it.each([
    'red;} body{display:none',
    'red}',
    'red;color:blue',
    '</style><script>',
    'url(https://evil.example/x)',
    'URL(x)',
    'image-set("x.png" 1x)',
    'expression(alert(1))',
    '"open',
    '"a" "',
    'rgb(1 2 3',
    'red)',
    ')(',
    'red /* x',
    '\\72 ed',
    'red\n',
    '@import x',
    'a:b',
    '',
    ' ',
    '--',
    'x'.repeat(201),
  ])('refuse %j', (value) => {
    expect(() => resolveTheme({ variables: { '--ostiary-accent': value } })).toThrow(ThemeError)
  })

  it.each(['--ostiary-acent', '--ostiary-x}', 'color', '__proto__'])('refuse the name %s', (name) => {
    const variables = Object.fromEntries([[name, 'red']]) as Theme['variables'] & object
    expect(() => resolveTheme({ dark_variables: variables })).toThrow(`theme.dark_variables.${name}: `)
  })

  it('refuse a value that is not a string', () => {
    const variables = { '--ostiary-accent': 5 } as unknown as Theme['variables'] & object
    expect(() => resolveTheme({ variables })).toThrow(ThemeError)
  })

  it('set the color under the pointer with the accent, unless they name it', () => {
    const derived = '--ostiary-accent-hover:color-mix(in srgb,var(--ostiary-accent) 80%,var(--ostiary-text))'
    const accent = { '--ostiary-accent': 'teal' }
    const hover = { '--ostiary-accent-hover': 'navy' }
    const is_derived = (theme?: Theme) => resolveTheme(theme).css.includes(derived)
    expect([is_derived({ variables: accent }), is_derived({ dark_variables: accent })]).toEqual([true, true])
    const others: (Theme | undefined)[] = [
      undefined,
      { variables: { '--ostiary-accent-text': 'white' } },
      { variables: { ...accent, ...hover } },
      { variables: accent, dark_variables: hover },
    ]
    expect(others.map(is_derived)).toEqual([false, false, false, false])
  })

  it('change the version of the style sheet', () => {
    const themed = resolveTheme({ variables: { '--ostiary-accent': 'teal' } })
    expect(themed.version).not.toBe(resolveTheme().version)
  })
})

describe('logo_url', () => {
  it.each([
    ['https://cdn.example:8443/logo.svg', 'https://cdn.example:8443'],
    ['/logo.svg', null],
    ['data:image/png;base64,AAAA', 'data:'],
    ['data:image/svg+xml,%3Csvg/%3E', 'data:'],
  ])('%s is loaded from %s', (logo_url, source) => {
    const image_sources = source === null ? [] : [source]
    expect(resolveTheme({ logo_url })).toMatchObject({ logo_url, icon_url: logo_url, image_sources })
  })

  it('is not the icon where icon_url is another image; both may be loaded', () => {
    const theme = { logo_url: 'https://cdn.example/logo.svg', icon_url: 'data:image/png;base64,AAAA' }
    expect(resolveTheme(theme)).toMatchObject({ ...theme, image_sources: ['https://cdn.example', 'data:'] })
    const same = { logo_url: 'https://cdn.example/logo.svg', icon_url: 'https://cdn.example/icon.png' }
    expect(resolveTheme(same).image_sources).toEqual(['https://cdn.example'])
    expect(() => resolveTheme({ icon_url: 'icon.png' })).toThrow('theme.icon_url')
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'http://cdn.example/logo.svg',
    '//evil.example/x',
    '/\\evil.example',
    'https://a;script-src b/x',
    'https://a;sandbox/x',
    "https://a,default-src'x'/x",
    'https://*/x',
    'logo.svg',
    '',
  ])('refuses %j', (logo_url) => {
    expect(() => resolveTheme({ logo_url })).toThrow('theme.logo_url')
  })
})

describe('links', () => {
  const link = { text: 'Privacy', href: '/privacy' }

  it('are none without the option, and five at most', () => {
    expect(resolveTheme().links).toEqual([])
    expect(resolveTheme({ links: Array.from({ length: 5 }, () => link) }).links).toHaveLength(5)
    expect(() => resolveTheme({ links: Array.from({ length: 6 }, () => link) })).toThrow('theme.links: ')
    expect(() => resolveTheme({ links: 'x' as unknown as [] })).toThrow('theme.links: ')
  })

  it.each([
    ['https://example.com/privacy', 'https://example.com/privacy'],
    ['https://example.com', 'https://example.com/'],
    ['/privacy?a=b#c', '/privacy?a=b#c'],
  ])('lead to %s', (href, written) => {
    expect(resolveTheme({ links: [{ text: 'Privacy', href }] }).links).toEqual([
      { text: 'Privacy', href: written },
    ])
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'data:image/png;base64,AAAA',
    'http://example.com/privacy',
    'mailto:a@example.com',
    '//evil.example/x',
    '/\\evil.example',
    '/a b',
    'privacy',
    '',
    5 as unknown as string,
  ])('refuse %j', (href) => {
    expect(() => resolveTheme({ links: [link, { text: 'Terms', href }] })).toThrow('theme.links.1.href: ')
  })

  it('have a text of 60 characters at most', () => {
    const of = (text: unknown) => resolveTheme({ links: [{ text: text as string, href: '/terms' }] })
    expect(of('x'.repeat(60)).links).toHaveLength(1)
    for (const text of ['x'.repeat(61), '', ' ', undefined, 5])
      expect(() => of(text)).toThrow('theme.links.0.text: ')
  })
})
