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
  ])('%s is loaded from %s', (logo_url, logo_source) => {
    expect(resolveTheme({ logo_url })).toMatchObject({ logo_url, logo_source })
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
