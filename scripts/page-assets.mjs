/**
 * A plugin for esbuild: style sheets and scripts of pages, which the sources have as templates with the tag `css` or `script`
 * (`identity/src/web/assets.ts`), become as short as browsers need them. What is developed and tested from source is what is written there.
 */

import { readFileSync } from 'node:fs'
import { transform } from 'esbuild'

const TEMPLATE = /\b(css|script)`([^`]*)`/g

const OPTIONS = {
  css: { loader: 'css' },
  script: { loader: 'js', target: 'es2020' },
}

export const pageAssets = {
  name: 'page-assets',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]pages[\\/].*\.ts$/ }, async ({ path }) => {
      const source = readFileSync(path, 'utf8')
      const assets = [...source.matchAll(TEMPLATE)]
      if (assets.length === 0) return null
      const shortened = await Promise.all(assets.map(([, kind, text]) => shorten(kind, text)))
      return { contents: source.replace(TEMPLATE, () => shortened.shift()), loader: 'ts' }
    })
  },
}

/** A value in the template, or a backslash, would mean another text after the change. */
async function shorten(kind, text) {
  if (text.includes('${') || text.includes('\\'))
    throw new Error(`A ${kind} template is plain text: ${text.slice(0, 80)}`)
  const { code } = await transform(text, { ...OPTIONS[kind], minify: true, charset: 'utf8', lineLimit: 150 })
  // A line may end within a string.
  if (/`|\$\{|\\(?!\n)/.test(code))
    throw new Error(`The short form of a ${kind} template is no plain text: ${code.slice(0, 80)}`)
  return `${kind}\`${code}\``
}
