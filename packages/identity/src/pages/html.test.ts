import { describe, expect, it } from 'vitest'
import { type Html, html } from './html.js'

const text = (markup: Html) => markup.toString()

describe('html', () => {
  it.each([
    ['</title><script>alert(1)</script>', '&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['"><img src=x onerror=alert(1)>', '&quot;&gt;&lt;img src=x onerror=alert(1)&gt;'],
    ["' autofocus onfocus='alert(1)", '&#39; autofocus onfocus=&#39;alert(1)'],
    ['&lt;b&gt;', '&amp;lt;b&amp;gt;'],
    ['a\0b', 'a\uFFFDb'],
  ])('escapes %j in text and in a quoted attribute', (value, escaped) => {
    expect(text(html`<p>${value}</p>`)).toBe(`<p>${escaped}</p>`)
    expect(text(html`<p title="${value}">`)).toBe(`<p title="${escaped}">`)
  })

  it('inserts results of html unescaped, alone and in lists', () => {
    const item = (name: string) => html`<li>${name}</li>`
    expect(text(html`<ul>${['<', 'b'].map(item)}</ul>`)).toBe('<ul><li>&lt;</li><li>b</li></ul>')
  })

  it('renders null, undefined and false as nothing, and zero as 0', () => {
    expect(text(html`[${null}${undefined}${false}${0}]`)).toBe('[0]')
  })

  it.each([
    ['an object with toString', { toString: () => '<script>' }],
    ['a copy of real markup', { ...html`<script>` }],
    ['an heir of real markup', Object.create(html`<script>`)],
    ['an object without prototype', Object.create(null)],
    ['a symbol', Symbol('x')],
  ])('renders nothing for %s', (_, value) => {
    expect(text(html`[${value as string}]`)).toBe('[]')
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '\\\\evil.example',
    'relative',
  ])('drops the URL %j from href, src, action and formaction', (url) => {
    expect(text(html`<a href="${url}">`)).toBe('<a href="">')
    expect(text(html`<a class="${'x'}" href='${url}'>`)).toBe(`<a class="x" href=''>`)
    expect(text(html`<img src="${url}">`)).toBe('<img src="">')
    expect(text(html`<form action="${url}">`)).toBe('<form action="">')
    expect(text(html`<button FORMACTION = "${url}">`)).toBe('<button FORMACTION = "">')
  })

  it('drops a URL that is made of several values', () => {
    expect(text(html`<a href="${''}${'javascript:alert(1)'}">`)).toBe('<a href="">')
    expect(text(html`<a href="${'java'}${'script:alert(1)'}">`)).toBe('<a href="">')
  })

  it('keeps http(s) URLs, paths, and images as data: URLs in src only', () => {
    expect(text(html`<a href="${'https://a.example/?b=1&c'}">`)).toBe(
      '<a href="https://a.example/?b=1&amp;c">',
    )
    expect(text(html`<a href="${'/login?x=1'}">`)).toBe('<a href="/login?x=1">')
    expect(text(html`<img src="${'data:image/png;base64,AAAA'}">`)).toContain('data:image/png')
    expect(text(html`<a href="${'data:image/svg+xml,x'}">`)).toBe('<a href="">')
  })

  it('refuses a template with an unquoted attribute', () => {
    expect(() => html`<p title=${'x'}>`).toThrow('Quote the attribute')
    expect(() => html`<p class="${'x'}" title= ${'x'}>`).toThrow('Quote the attribute')
  })
})
